import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { JobInfo } from '#shared/api/jobs.ts';
import { TableDetail } from '#shared/api/tables.ts';
import { detectAnnotations } from '#shared/domain/annotations/detect.ts';
import type { CellOf } from '#shared/domain/annotations/entries.ts';
import type { AnnotationLayout } from '#shared/domain/annotations/layout.ts';
import {
  type AnnotationChange,
  readAnnotations,
  writeAnnotations,
} from '#shared/domain/annotations/read-annotations.ts';
import { moveShapes, placeKeypoint } from '#shared/domain/annotations/reshape.ts';
import { formatRleText, toMask } from '#shared/domain/annotations/rle.ts';
import type { Annotation, Shape } from '#shared/domain/annotations/shape.ts';
import { parseColumnType } from '#shared/domain/column-type.ts';
import { makeTestServer, type TestServer } from '../../testing/test-server.ts';

const size = { width: 80, height: 40 };
const square = toMask(
  Uint8Array.from({ length: 80 * 40 }, (_none, at) => Number(at % 80 >= 10 && at % 80 < 20 && at < 80 * 8)),
  size,
);
const box = { kind: 'box' as const, x: 8, y: 4, width: 16, height: 8 };

interface Format {
  name: string;
  /** Lines of `metadata.jsonl`, beside the pictures. */
  row: Record<string, unknown>;
  layout: Partial<AnnotationLayout>;
  /** Read from the import: shapes of the first annotation, and its class. */
  shapes: Shape[];
  label: string | null;
  edit: (one: Annotation) => AnnotationChange;
}

const moved = (one: Annotation): AnnotationChange => ({
  kind: 'reshape',
  index: one.index,
  shapes: moveShapes(one.shapes, { x: 8, y: 4 }, size),
});

const formats: Format[] = [
  {
    name: 'coco-boxes',
    row: { objects: [{ id: 7, bbox: [8, 4, 16, 8], category: 'cat', area: 128, iscrowd: 0 }] },
    layout: { column: 'objects', many: 'list', unit: 'pixel', label: 'category' },
    shapes: [box],
    label: 'cat',
    edit: moved,
  },
  {
    name: 'coco-polygons',
    row: {
      objects: [
        { bbox: [8.5, 4, 10, 8], segmentation: [[8.5, 4, 18.5, 4, 18.5, 12]], area: 40, category: 'cat' },
      ],
    },
    layout: { column: 'objects', many: 'list', label: 'category', area: 'area' },
    shapes: [
      { kind: 'box', x: 8.5, y: 4, width: 10, height: 8 },
      {
        kind: 'polygon',
        rings: [
          [
            { x: 8.5, y: 4 },
            { x: 18.5, y: 4 },
            { x: 18.5, y: 12 },
          ],
        ],
      },
    ],
    label: 'cat',
    edit: moved,
  },
  {
    name: 'coco-keypoints',
    row: { objects: [{ keypoints: [10, 10, 2, 0, 0, 0, 30, 20, 1], num_keypoints: 2, category: 'hand' }] },
    layout: { column: 'objects', many: 'list', label: 'category' },
    shapes: [
      {
        kind: 'keypoints',
        points: [
          { x: 10, y: 10, visibility: 2 },
          { x: 0, y: 0, visibility: 0 },
          { x: 30, y: 20, visibility: 1 },
        ],
      },
    ],
    label: 'hand',
    edit: (one) => ({
      kind: 'reshape',
      index: one.index,
      shapes: placeKeypoint(one.shapes, { point: 1, at: { x: 12, y: 15 }, size }),
    }),
  },
  ...(['list', 'text'] as const).map(
    (way): Format => ({
      name: `coco-runs-${way}`,
      row: {
        objects: [
          {
            segmentation: {
              size: [40, 80],
              counts: way === 'list' ? square.counts : formatRleText(square.counts),
            },
            category: 'sky',
            area: 80,
          },
        ],
      },
      layout: { column: 'objects', many: 'list', label: 'category' },
      shapes: [square],
      label: 'sky',
      edit: (one) => ({
        kind: 'reshape',
        index: one.index,
        shapes: [toMask(new Uint8Array(80 * 40).fill(1, 80, 160), size)],
      }),
    }),
  ),
  {
    name: 'coco-json-text',
    row: { annotations: JSON.stringify([{ bbox: [8, 4, 16, 8], category_id: 3, score: 0.5 }]) },
    layout: { column: 'annotations', many: 'list', isJson: true, label: 'category_id', score: 'score' },
    shapes: [box],
    label: '3',
    edit: moved,
  },
  {
    name: 'yolo',
    row: { boxes_yolo: [[0.2, 0.2, 0.2, 0.2]], labels: [4] },
    layout: { column: 'boxes_yolo', many: 'columns', unit: 'share', label: 'labels' },
    shapes: [box],
    label: '4',
    edit: moved,
  },
  {
    name: 'voc',
    row: { object: [{ name: 'dog', bndbox: { xmin: 8, ymin: 4, xmax: 24, ymax: 12 }, difficult: 0 }] },
    layout: { column: 'object', many: 'list', unit: 'pixel', label: 'name' },
    shapes: [box],
    label: 'dog',
    edit: moved,
  },
  {
    name: 'hugging-face',
    row: { objects: { id: [5], bbox: [[8, 4, 16, 8]], category: ['cat'] } },
    layout: { column: 'objects', many: 'lists', unit: 'pixel', label: 'category' },
    shapes: [box],
    label: 'cat',
    edit: moved,
  },
  {
    name: 'plain-columns',
    row: { xmin: 8, ymin: 4, xmax: 24, ymax: 12, label: 'cat' },
    layout: { column: 'xmin', many: 'row', unit: 'pixel', label: 'label' },
    shapes: [box],
    label: 'cat',
    edit: moved,
  },
];

let server: TestServer;
let picture: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  server = await makeTestServer();
  picture = new Uint8Array(
    await sharp({ create: { ...size, channels: 3, background: '#456' } })
      .png()
      .toBuffer(),
  );
});
afterAll(() => server.close());

async function importRows(name: string, rows: readonly Record<string, unknown>[]): Promise<void> {
  const lines = rows.map((row, at) => JSON.stringify({ file_name: `${at}.png`, nr: at, ...row }));
  await importFiles(name, [
    ...rows.map((_row, at): [string, BlobPart] => [`pictures/${at}.png`, picture]),
    ['pictures/metadata.jsonl', lines.join('\n')],
  ]);
}

async function importFiles(name: string, files: readonly [string, BlobPart][]): Promise<void> {
  const form = new FormData();
  form.set('name', name);
  for (const [path, content] of files) form.append('file', new Blob([content]), path);
  const response = await server.get('/api/v1/tables', { method: 'POST', body: form });
  expect(response.status).toBe(202);
  const { job } = (await response.json()) as { job: { id: string } };
  const events = await (await server.get(`/api/v1/jobs/${job.id}/events`)).text();
  const last = events.trim().split('\n\n').at(-1)!;
  expect(JobInfo.parse(JSON.parse(last.replace(/^data: /, '')))).toMatchObject({ state: 'done' });
}

interface Row extends Record<string, unknown> {
  _rowid: string;
}

async function readRows(table: string, ref: string): Promise<Row[]> {
  const response = await server.post(`/api/v1/tables/${table}/rows?format=json`, {
    ref,
    orderBy: [{ column: 'nr' }],
  });
  expect(response.status).toBe(200);
  return ((await response.json()) as { rows: Row[] }).rows;
}

const cellOf =
  (row: Row): CellOf =>
  (name) =>
    row[name] ?? null;

/** As the page reads it: from the columns and the rows. */
async function layoutsOf(table: string, ref: string): Promise<AnnotationLayout[]> {
  const response = await server.get(`/api/v1/tables/${table}?ref=${ref}`);
  const { columns } = TableDetail.parse(await response.json());
  return detectAnnotations(
    columns.map(({ name, type, role, annotations }) => ({
      name,
      type: parseColumnType(type),
      role,
      annotations,
    })),
    (await readRows(table, ref)).map(cellOf),
  ).layouts;
}

test.each(formats)('annotations in every format round-trip: $name', async (format) => {
  const { name, row, shapes, label } = format;
  await importRows(name, [row, { ...row }]);
  const layouts = await layoutsOf(name, 'main');
  expect(layouts).toHaveLength(1);
  const [layout] = layouts as [AnnotationLayout];
  expect(layout).toMatchObject(format.layout);
  const [first, second] = (await readRows(name, 'main')) as [Row, Row];
  const before = readAnnotations(cellOf(first), layout, size);
  expect(before.faulty).toBe(0);
  expect(before.annotations).toEqual([expect.objectContaining({ index: 0, label })]);
  expect(rounded(before.annotations[0]!.shapes)).toEqual(rounded(shapes));

  const change = format.edit(before.annotations[0]!);
  const values = writeAnnotations(cellOf(first), { layout, size, change });
  await server.post(`/api/v1/tables/${name}/branches`, { name: 'fix' });
  const edit = await server.post(`/api/v1/tables/${name}/edits`, {
    branch: 'fix',
    ops: [{ op: 'set', rows: { ids: [first._rowid] }, values }],
  });
  expect([edit.status, await edit.json()]).toEqual([
    200,
    expect.objectContaining({ changed: { inserted: 0, updated: 1, deleted: 0 } }),
  ]);

  const wanted = 'shapes' in change ? rounded(change.shapes) : null;
  const exported = await readRows(name, 'fix');
  const changed = readAnnotations(cellOf(exported[0]!), layout, size);
  expect(rounded(changed.annotations[0]!.shapes)).toEqual(wanted);
  expect(changed.annotations[0]!.label).toBe(label);
  const names = Object.keys(row);
  const part = (one: Row) => Object.fromEntries(names.map((column) => [column, one[column]]));
  expect(part(exported[1]!)).toEqual(part(second));

  const stream = await server.post(`/api/v1/tables/${name}/rows`, {
    ref: 'fix',
    columns: ['nr', ...names],
    orderBy: [{ column: 'nr' }],
  });
  await importFiles(`${name}-again`, [['again.arrow', await stream.arrayBuffer()]]);
  expect(await layoutsOf(`${name}-again`, 'main')).toEqual(layouts);
  expect((await readRows(`${name}-again`, 'main')).map(part)).toEqual(exported.map(part));
});

/** Shares are pixels up to the last digits. */
function rounded(shapes: readonly Shape[]): unknown {
  return JSON.parse(
    JSON.stringify(shapes, (_name, value: unknown) =>
      typeof value === 'number' ? Math.round(value * 1e6) / 1e6 : value,
    ),
  );
}
