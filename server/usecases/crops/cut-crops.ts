import type { CropBody } from '#shared/api/annotations.ts';
import { isAppError } from '#shared/api/problem.ts';
import { columnsOfLayout } from '#shared/domain/annotations/layout.ts';
import { boundsOfAll } from '#shared/domain/annotations/measure.ts';
import { readAnnotations } from '#shared/domain/annotations/read-annotations.ts';
import type { Annotation, Size } from '#shared/domain/annotations/shape.ts';
import { readRowsAsJson } from '../../arrow/rows-as-json.ts';
import type { CallContext } from '../../ports/call.ts';
import type { Ports } from '../../ports/index.ts';
import type { Crop, CropBox } from '../../ports/media-maker.ts';
import { collectBlob } from '../collect-blob.ts';
import { readBlob } from '../read-blob.ts';
import { readRows } from '../read-rows.ts';

/** One crop with what tells where it is from. */
export interface MadeCrop {
  crop: Crop;
  facts: CropFacts;
}

export interface CropFacts {
  label: string | null;
  score: number | null;
  source_table: string;
  source_ref: string;
  /** The row key as text; several key columns as JSON. */
  source_key: string;
  source_column: string;
  annotation_column: string;
  annotation_index: number;
  x: number;
  y: number;
  width: number;
  height: number;
  /** Degrees by which the box was turned, clockwise. */
  angle: number;
}

export interface CutProgress {
  rows: number;
  total: number;
  failedRows: number;
  firstFailure: string | null;
}

export interface CutRequest {
  table: string;
  /** Pinned. */
  ref: string;
  key: readonly string[];
  body: CropBody;
}

const pageRows = 500;
const boxesAtOnce = 64;

const rowsFilter = ({ rows }: CropBody): string | undefined =>
  'ids' in rows ? `_rowid IN (${rows.ids.join(', ')})` : 'where' in rows ? rows.where : undefined;

/** Cuts the annotations of rows, row by row; rows whose picture cannot be cut are counted, not passed over in silence. */
export async function* cutCrops(
  ports: Ports,
  request: CutRequest,
  context: CallContext,
): AsyncGenerator<{ crops: MadeCrop[]; progress: CutProgress }> {
  const { table, ref, key, body } = request;
  const columns = [...new Set([...columnsOfLayout(body.layout), ...key])];
  const progress: CutProgress = { rows: 0, total: 0, failedRows: 0, firstFailure: null };
  for (let offset = 0; ; offset += pageRows) {
    const query = { ref, columns, where: rowsFilter(body), offset, limit: pageRows };
    const { stream } = await readRows(ports, { table, query }, context);
    const { rows, total } = await readRowsAsJson(stream.chunks, context.signal);
    progress.total = total;
    for (const row of rows) {
      context.signal.throwIfAborted();
      let crops: MadeCrop[] = [];
      try {
        crops = await cutRow(ports, request, row, context);
      } catch (error) {
        const isOwn =
          isAppError(error) &&
          ['INVALID_FILE', 'UNSUPPORTED_MEDIA', 'NOT_FOUND', 'TIMEOUT', 'ENGINE_CRASHED'].includes(
            error.code,
          );
        if (!isOwn || context.signal.aborted) throw error;
        progress.failedRows++;
        progress.firstFailure ??= error.message;
      }
      progress.rows++;
      yield { crops, progress };
    }
    if (rows.length < pageRows) return;
  }
}

const isWanted = ({ indexes, labels, exceptLabels, minScore }: CropBody, one: Annotation): boolean =>
  (indexes === undefined || indexes.includes(one.index)) &&
  (labels === undefined || labels.includes(one.label)) &&
  !exceptLabels?.includes(one.label) &&
  (minScore === undefined || one.score === null || one.score >= minScore);

async function cutRow(
  ports: Ports,
  { table, ref, key, body }: CutRequest,
  row: Record<string, unknown>,
  context: CallContext,
): Promise<MadeCrop[]> {
  const cell = (column: string) => row[column] ?? null;
  const read = (size: Size) =>
    readAnnotations(cell, body.layout, size).annotations.filter(
      (one) => isWanted(body, one) && one.shapes.length > 0,
    );
  if (read({ width: 1, height: 1 }).length === 0) return [];
  const address = { table, ref, column: body.media, rowId: String(row._rowid) };
  const bytes = await collectBlob(await readBlob(ports, address, context), 'crops', context.signal);
  const size: Size =
    body.layout.unit === 'pixel'
      ? { width: 1, height: 1 }
      : await ports.media.readPicture({ bytes }, context);
  const wanted = read(size).flatMap((annotation) => {
    const box = boxOf(annotation, body.padding);
    return box ? [{ annotation, box }] : [];
  });
  const made: MadeCrop[] = [];
  for (let from = 0; from < wanted.length; from += boxesAtOnce) {
    const part = wanted.slice(from, from + boxesAtOnce);
    const { crops } = await ports.media.makeCrops({ bytes, boxes: part.map(({ box }) => box) }, context);
    part.forEach(({ annotation, box }, at) => {
      const crop = crops[at];
      if (!crop) return;
      made.push({
        crop,
        facts: {
          label: annotation.label,
          score: annotation.score,
          source_table: table,
          source_ref: ref,
          source_key: keyText(key, row),
          source_column: body.media,
          annotation_column: body.layout.column,
          annotation_index: annotation.index,
          ...box,
        },
      });
    });
  }
  return made;
}

const keyText = (key: readonly string[], row: Record<string, unknown>): string => {
  const values = (key.length > 0 ? key : ['_rowid']).map((name) => row[name]);
  return values.length === 1 ? String(values[0]) : JSON.stringify(values);
};

/** The box to cut: a turned one as it is turned, else the bounds of all shapes, with room around. */
function boxOf({ shapes }: Annotation, padding: number): CropBox | null {
  const turned = shapes.find((shape) => shape.kind === 'rotated');
  if (turned) {
    const { cx, cy, angle } = turned;
    const width = turned.width * (1 + 2 * padding);
    const height = turned.height * (1 + 2 * padding);
    return { x: cx - width / 2, y: cy - height / 2, width, height, angle };
  }
  const bounds = boundsOfAll(shapes);
  if (!bounds) return null;
  const { x, y, width, height } = bounds;
  return {
    x: x - width * padding,
    y: y - height * padding,
    width: width * (1 + 2 * padding),
    height: height * (1 + 2 * padding),
    angle: 0,
  };
}
