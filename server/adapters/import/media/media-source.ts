import { readFile } from 'node:fs/promises';
import { AppError } from '#shared/api/problem.ts';
import { fieldFacts } from '#shared/api/wire.ts';
import { arrow, type Data, type DataType, type Field, type RecordBatch } from '../../../arrow/arrow.ts';
import type { RowSource } from '../../../arrow/row-source.ts';
import { blobKindOf } from '../../../media-type.ts';
import { extensionOf } from '../sources/detect-format.ts';
import type { MediaFile } from '../sources/plan-sources.ts';
import { blobField, makeBlobs } from './blob-column.ts';
import type { MediaMetadata } from './media-metadata.ts';

export interface MediaFolder {
  label: string;
  files: readonly MediaFile[];
  metadata: MediaMetadata | null;
  /** What is wrong with a file, by its relative path; a column `problem` says it where there is any. */
  problems: ReadonlyMap<string, string>;
}

const batchBytes = 16 * 1024 * 1024;
const batchFiles = 1024;
const readsAtOnce = 8;
const maxFileBytes = 1024 ** 3;

/** Image, video or audio where all files are; files that cannot be decoded do not count. */
function roleOf({ files, problems }: MediaFolder): string {
  const kinds = new Set(
    files.filter((file) => !problems.has(file.relative)).map((file) => blobKindOf(file.contentType)),
  );
  const only = kinds.size === 1 ? [...kinds][0] : undefined;
  return only === 'image' || only === 'video' || only === 'audio' ? only : 'blob';
}

const text = (values: readonly (string | null)[]): Data => {
  const data = arrow.vectorFromArray([...values], new arrow.Utf8()).data[0];
  return (
    data ??
    arrow.makeData({
      type: new arrow.Utf8(),
      length: 0,
      valueOffsets: new Int32Array(1),
      data: new Uint8Array(0),
    })
  );
};

const field = (name: string, type: DataType, nullable = false, metadata?: Map<string, string>): Field =>
  new arrow.Field(name, type, nullable, metadata);

/** Cuts the files into batches that fit the memory. */
function* batchesOf(files: readonly MediaFile[]): Generator<MediaFile[]> {
  let batch: MediaFile[] = [];
  let bytes = 0;
  for (const file of files) {
    if (batch.length > 0 && (bytes + file.sizeBytes > batchBytes || batch.length >= batchFiles)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(file);
    bytes += file.sizeBytes;
  }
  if (batch.length > 0) yield batch;
}

async function readAll(files: readonly MediaFile[], signal: AbortSignal): Promise<Buffer[]> {
  const payloads: Buffer[] = [];
  for (let from = 0; from < files.length; from += readsAtOnce) {
    const part = files.slice(from, from + readsAtOnce).map(async (file) => {
      try {
        return await readFile(file.path, { signal });
      } catch (error) {
        if (signal.aborted) throw error;
        throw new AppError({
          code: 'INVALID_FILE',
          message: `${file.label}: the file cannot be read any more.`,
          hint: 'Was it moved or deleted? Import the folder again.',
          cause: error,
        });
      }
    });
    payloads.push(...(await Promise.all(part)));
  }
  return payloads;
}

/** Throws TOO_LARGE for a file that no cell can hold. */
function assertSizes(files: readonly MediaFile[]): void {
  const large = files.find((file) => file.sizeBytes > maxFileBytes);
  if (large)
    throw new AppError({
      code: 'TOO_LARGE',
      message: `${large.label} is larger than 1 GB, the most that a cell holds.`,
      hint: 'Keep it outside, and its address in a text column.',
    });
}

/** A row per file: path, bytes, kind, size and type, what may be wrong with it, and the columns of the metadata. */
export function createMediaSource(folder: MediaFolder): RowSource {
  const { files, metadata, problems } = folder;
  assertSizes(files);
  const hasProblems = problems.size > 0;
  const fields = [
    field('path', new arrow.Utf8()),
    blobField('media', new Map([[fieldFacts.role, roleOf(folder)]])),
    field('kind', new arrow.Utf8()),
    field('size_bytes', new arrow.Int64()),
    field('content_type', new arrow.Utf8()),
    ...(hasProblems
      ? [
          field(
            'problem',
            new arrow.Utf8(),
            true,
            new Map([[fieldFacts.description, 'Why the file cannot be decoded.']]),
          ),
        ]
      : []),
    ...(metadata?.schema.fields ?? []),
  ];
  const schema = new arrow.Schema(fields);
  let bytesRead = 0;
  const makeBatch = (part: readonly MediaFile[], payloads: readonly Buffer[]): RecordBatch => {
    const sizes = BigInt64Array.from(payloads, (payload) => BigInt(payload.length));
    const children = [
      text(part.map((file) => file.relative)),
      makeBlobs(payloads),
      text(part.map((file) => blobKindOf(file.contentType))),
      arrow.makeData({ type: new arrow.Int64(), length: part.length, nullCount: 0, data: sizes }),
      text(part.map((file) => file.contentType)),
      ...(hasProblems ? [text(part.map((file) => problems.get(file.relative) ?? null))] : []),
      ...(metadata?.columnsFor(part.map((file) => file.relative)) ?? []),
    ];
    const data = arrow.makeData({
      type: new arrow.Struct(fields),
      length: part.length,
      nullCount: 0,
      children: children as never,
    });
    return new arrow.RecordBatch(schema, data as never);
  };
  return {
    label: folder.label,
    schema,
    rowCount: files.length,
    sizeBytes: files.reduce((sum, file) => sum + file.sizeBytes, 0),
    bytesRead: () => bytesRead,
    async *batches(signal) {
      bytesRead = 0;
      for (const part of batchesOf(files)) {
        signal.throwIfAborted();
        const payloads = await readAll(part, signal);
        bytesRead += payloads.reduce((sum, payload) => sum + payload.length, 0);
        yield makeBatch(part, payloads);
      }
    },
    close: async () => undefined,
  };
}

const decodable = /^image\/(?!svg)/;

/** Decodes a picture; gives what is wrong with it, or null. */
export type InspectPicture = (
  bytes: Uint8Array,
  contentType: string,
  signal: AbortSignal,
) => Promise<string | null>;

const inspectionsAtOnce = 4;

async function problemOf(
  file: MediaFile,
  inspect: InspectPicture,
  signal: AbortSignal,
): Promise<string | null> {
  if (file.sizeBytes === 0) return 'The file is empty.';
  if (decodable.test(file.contentType))
    return inspect(await readFile(file.path, { signal }), file.contentType, signal);
  const kind = blobKindOf(file.contentType);
  if (kind === 'other') return `The bytes are not what the name (.${extensionOf(file.relative)}) says.`;
  return null;
}

/** What is wrong with the files, by relative path: broken pictures are taken in and flagged. */
export async function findProblems(
  files: readonly MediaFile[],
  inspect: InspectPicture,
  onChecked: (count: number) => void,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const problems = new Map<string, string>();
  const queue = files.values();
  let checked = 0;
  const work = async (): Promise<void> => {
    for (const file of queue) {
      signal.throwIfAborted();
      const problem = await problemOf(file, inspect, signal);
      if (problem !== null) problems.set(file.relative, problem);
      checked += 1;
      onChecked(checked);
    }
  };
  await Promise.all(Array.from({ length: inspectionsAtOnce }, work));
  return problems;
}
