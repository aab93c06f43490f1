import { wire } from '#shared/api/wire.ts';
import { formatRef } from '#shared/domain/ref.ts';
import { arrow, type RecordBatch, type Schema } from '../../../arrow/arrow.ts';
import { bodyOf, encodeSchema, endMarker, schemaOf, withFacts } from '../../../arrow/ipc.ts';
import { encodeBatch } from '../../../arrow/stream-of-tables.ts';
import type { ByteStream, CallContext } from '../../../ports/call.ts';
import type { RowsFacts, RowsInput } from '../../../ports/table-reader.ts';
import type { LanceErrorPlace } from '../lance-errors.ts';
import type { PermutationCache } from '../permutation/permutation-cache.ts';
import type { PinnedTable, PinnedTables } from '../pinned-tables.ts';
import { countMatches } from './count-rows.ts';
import { batchWithCuts, cutCells, schemaWithCuts } from './cut-cells.ts';
import { batchRowsFor, filesOfQuery, freeFile, outputSchemaOf } from './files-of-query.ts';
import { type ColumnPlan, planColumns } from './plan-columns.ts';
import { widthOf } from './row-width.ts';
import { needsShaping, type ShapeOptions, shapeBatch, shapedSchema } from './shape-batch.ts';
import { takePlaces } from './take-places.ts';
import { takeRows } from './take-rows.ts';

export interface RowsPlaces {
  home: string;
  tables: PinnedTables;
  permutations: PermutationCache;
}

/** Rows of a window are taken by position up to this many; larger windows are scanned. */
const maxTakenRows = 16_384;
/** Rows taken at once for a sorted result that is streamed whole. */
const takenChunkRows = 16_384;
/** Whole results up to this many rows come in the order of their ids, larger ones as they lie. */
const maxOrderedRows = 100_000;
/** Windows that a person looks at: the bytes of media are looked at too. */
const maxLookedAtRows = 2_000;
/** Rows of a batch where bytes are read along. */
const mediaBatchRows = 64;

interface Piece {
  /** A file of Lance that can go out as it is. */
  file?: Uint8Array | null;
  batch?: RecordBatch;
}

interface Read {
  input: RowsInput;
  table: PinnedTable;
  plan: ColumnPlan;
  place: LanceErrorPlace;
  permutations: PermutationCache;
  signal: AbortSignal;
}

/** Of the rows of a table; more are scanned. */
const maxTakenShare = 0.25;

/** Whether a whole result of so many rows is in the order of their ids, where that is not how they lie. */
export const comesById = (rows: number): boolean => rows <= maxOrderedRows;

const window = ({ offset = 0, limit }: RowsInput, total: number): { offset: number; limit: number } => ({
  offset: Math.min(offset, total),
  limit: Math.max(0, Math.min(limit ?? Number.POSITIVE_INFINITY, total - offset)),
});

const isSorted = ({ orderBy }: RowsInput): boolean => orderBy !== undefined && orderBy.length > 0;
const isWindow = ({ offset, limit }: RowsInput): boolean => (offset ?? 0) > 0 || limit !== undefined;

/** The rows of a pinned ref as one Arrow stream: pages by position or by a kept order of ids, whole results by forwarding Lance's bytes. */
export async function readRows(
  input: RowsInput,
  context: CallContext,
  { home, tables, permutations }: RowsPlaces,
): Promise<ByteStream<RowsFacts>> {
  const startedAt = performance.now();
  const table = await tables.open(input, context);
  const plan = planColumns(table.facts, input.columns);
  const place = { table: input.table, ref: input.ref, home };
  const read: Read = { input, table, plan, place, permutations, signal: context.signal };
  const { total, pieces } = await choosePieces(read);
  const forwarded = new WeakSet<Uint8Array>();
  return {
    facts: { total },
    expectedBytes: window(input, total).limit * rowBytesOf(plan),
    chunks: chunksOf(read, { total, pieces, startedAt, forwarded }),
    release(chunk) {
      if (forwarded.has(chunk)) freeFile(chunk);
    },
  };
}

interface Chosen {
  total: number;
  pieces: AsyncIterable<Piece>;
}

/** Sorted and filtered windows, through a kept order of ids. */
async function permutedPieces(read: Read): Promise<Chosen> {
  const { input, table, permutations, signal } = read;
  const { where, orderBy, offset = 0 } = input;
  const request = { ...table, pinnedKey: table.key, place: read.place, where, orderBy, signal };
  const firstLimit = Math.min(input.limit ?? takenChunkRows, takenChunkRows);
  const first = await permutations.window({ ...request, offset, limit: firstLimit });
  const { limit } = window(input, first.count);
  const idsAt = async (at: number, count: number): Promise<BigUint64Array> =>
    at === offset ? first.ids : (await permutations.window({ ...request, offset: at, limit: count })).ids;
  return { total: first.count, pieces: takenPieces(read, { offset, limit, idsAt }) };
}

async function filteredPieces(read: Read, where: string): Promise<Chosen> {
  const { table, permutations, signal } = read;
  const total = await countMatches({ table, permutations, where, place: read.place, signal });
  if (total <= maxOrderedRows && (await table.idOrder())) return permutedPieces(read);
  return { total, pieces: scannedPieces(read, table.handle.query().where(where)) };
}

async function plainPieces(read: Read): Promise<Chosen> {
  const { input, table } = read;
  const total = table.facts.rows;
  const { offset, limit } = window(input, total);
  if (limit === 0) return { total, pieces: noPieces() };
  const isById = !input.asStored && (isWindow(input) || comesById(total));
  const order = isById ? await table.idOrder() : null;
  if (order) {
    const idsAt = async (at: number, count: number): Promise<BigUint64Array> => order.ids(at, count);
    return { total, pieces: takenPieces(read, { offset, limit, idsAt }) };
  }
  if (!isWindow(input)) return { total, pieces: scannedPieces(read, table.handle.query()) };
  if (input.asStored && limit < total * maxTakenShare)
    return { total, pieces: takenByPlace(read, { offset, limit }) };
  if (limit > maxTakenRows)
    return { total, pieces: scannedPieces(read, table.handle.query().offset(offset).limit(limit)) };
  return { total, pieces: takenByPlace(read, { offset, limit }) };
}

/** Rows of one part of many that are taken by place, and parts that are taken at once: one alone keeps one core busy. */
const takenPartRows = 8192;
const takenParts = 3;

/** Many rows by their places are read in parts: a scan that begins in the middle reads all that lies before. */
async function* takenByPlace(
  read: Read,
  { offset, limit }: { offset: number; limit: number },
): AsyncGenerator<Piece> {
  const step = limit > maxTakenRows ? takenPartRows : takenChunkRows;
  const byOffset = read.input.asStored ?? false;
  const take = async (at: number): Promise<Piece[]> => {
    const count = Math.min(step, limit - at);
    const query = await takePlaces(read.table, read.plan, { offset: offset + at, count, byOffset });
    return Array.fromAsync(queriedPieces(read, query, count));
  };
  const parts: Promise<Piece[]>[] = [];
  const begin = (at: number) => {
    const part = take(at);
    part.catch(() => undefined);
    parts.push(part);
  };
  let next = 0;
  while (next < limit || parts.length > 0) {
    for (; next < limit && parts.length < takenParts; next += step) begin(next);
    yield* (await parts.shift()) as Piece[];
  }
}

function choosePieces(read: Read): Promise<Chosen> {
  const { input } = read;
  if (isSorted(input) || (input.where !== undefined && isWindow(input))) return permutedPieces(read);
  return input.where === undefined ? plainPieces(read) : filteredPieces(read, input.where);
}

async function* noPieces(): AsyncGenerator<Piece> {}

type LanceQuery =
  | ReturnType<PinnedTable['handle']['query']>
  | ReturnType<PinnedTable['handle']['takeOffsets']>;

const select = <Q extends LanceQuery>(query: Q, { selection }: ColumnPlan): Q => query.select(selection) as Q;

const rowBytesOf = ({ columns }: ColumnPlan): number =>
  columns.reduce((sum, { type }) => sum + widthOf(type), 0);

const textKinds: ReadonlySet<string> = new Set(['utf8', 'large_utf8', 'json']);

/** Only texts are cut: what has none is not even looked at. */
const cutBytesOf = ({ maxCellBytes }: RowsInput, { columns }: ColumnPlan): number | undefined =>
  columns.some(({ type }) => textKinds.has(type.kind)) ? maxCellBytes : undefined;

const hasBytes = ({ columns }: ColumnPlan): boolean =>
  columns.some(({ isMedia, type }) => isMedia && type.kind !== 'blob');

const scannedPieces = (read: Read, query: LanceQuery): AsyncGenerator<Piece> =>
  queriedPieces(read, select(query, read.plan));

async function* queriedPieces(
  { plan, place, signal }: Read,
  query: LanceQuery,
  rowCount?: number,
): AsyncGenerator<Piece> {
  const batchRows = hasBytes(plan) ? mediaBatchRows : batchRowsFor(rowBytesOf(plan));
  for await (const file of filesOfQuery(query, { place, signal, batchRows, rowCount })) yield { file };
}

interface TakenWindow {
  offset: number;
  limit: number;
  idsAt(offset: number, limit: number): Promise<BigUint64Array>;
}

async function* takenPieces(
  { table, plan, place, signal }: Read,
  { offset, limit, idsAt }: TakenWindow,
): AsyncGenerator<Piece> {
  const step = hasBytes(plan) ? mediaBatchRows : takenChunkRows;
  const end = offset + limit;
  for (let at = offset; at < end; at += takenChunkRows) {
    const ids = await idsAt(at, Math.min(takenChunkRows, end - at));
    for (let start = 0; start < Math.min(ids.length, end - at); start += step) {
      const some = ids.subarray(start, Math.min(start + step, end - at));
      yield await takeRows(some, { handle: table.handle, selection: plan.selection, place, signal });
    }
  }
}

interface Outgoing {
  total: number;
  pieces: AsyncIterable<Piece>;
  startedAt: number;
  /** Chunks that are Lance's own memory. */
  forwarded: WeakSet<Uint8Array>;
}

function scopeOf(input: RowsInput, total: number): string {
  const { offset, limit } = window(input, total);
  if (limit === total) return 'all';
  return limit === 0 ? `no rows of ${total}` : `rows ${offset + 1} to ${offset + limit} of ${total}`;
}

async function* chunksOf(
  read: Read,
  { total, pieces, startedAt, forwarded }: Outgoing,
): AsyncGenerator<Uint8Array> {
  const { input, table, plan } = read;
  const isShaped = needsShaping(plan);
  const shape: ShapeOptions = {
    pinned: input,
    incarnation: table.incarnation,
    plan,
    handle: table.handle,
    looksAtBytes: window(input, total).limit <= maxLookedAtRows,
    withUrl: input.withBlobUrls ?? false,
  };
  const maxCellBytes = cutBytesOf(input, plan);
  let hasCuts = maxCellBytes !== undefined && (isShaped || window(input, total).limit > takenChunkRows);
  const outgoing = (schema: Schema): Schema => {
    const shaped = isShaped ? shapedSchema(schema, shape) : schema;
    return hasCuts ? schemaWithCuts(shaped) : shaped;
  };
  const header = (schema: Schema): Uint8Array =>
    encodeSchema(
      withFacts(
        outgoing(schema),
        {
          [wire.ref]: formatRef(input.ref),
          [wire.total]: String(total),
          [wire.scope]: scopeOf(input, total),
          [wire.engine]: 'lance',
          [wire.elapsedMs]: (performance.now() - startedAt).toFixed(1),
        },
        plan.fieldFacts,
      ),
    );
  let hasHeader = false;
  for await (const { file, batch } of pieces) {
    const parsed = batch
      ? [batch]
      : isShaped || maxCellBytes !== undefined
        ? arrow.tableFromIPC(file!).batches
        : [];
    const cut = maxCellBytes === undefined ? null : parsed.map((made) => cutCells(made, maxCellBytes));
    if (!hasHeader) {
      hasCuts ||= cut?.some(({ cuts }) => cuts !== null) ?? false;
      yield header(batch ? batch.schema : schemaOf(file!));
      hasHeader = true;
    }
    if (!isShaped && !hasCuts && file) {
      const body = bodyOf(file);
      if (!body) continue;
      forwarded.add(body);
      yield body;
      continue;
    }
    for (const [at, made] of parsed.entries()) {
      const { batch: texts, cuts } = cut?.[at] ?? { batch: made, cuts: null };
      const shaped = isShaped ? await shapeBatch(texts, shape) : texts;
      const bytes = encodeBatch(hasCuts ? batchWithCuts({ batch: shaped, cuts }) : shaped);
      if (bytes) yield bytes;
    }
    if (file) freeFile(file);
  }
  if (!hasHeader)
    yield header(schemaOf(await outputSchemaOf(select(table.handle.query(), plan), read.place)));
  yield endMarker;
}
