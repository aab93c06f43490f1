import { type Table, tableFromIPC } from '@uwdata/flechette';
import { AppError, abortedError } from '#shared/api/problem.ts';
import { arrowEndMarker, wire } from '#shared/api/wire.ts';
import { RowsSoFar } from './rows-so-far.ts';

/** What a row stream says about itself in its schema metadata. */
export interface RowFacts {
  /** The pinned ref, as `formatRef` writes it; null where the answer has none (SQL over several tables). */
  ref: string | null;
  /** Rows of the whole result; null when it is not known. */
  total: number | null;
  scope: string | null;
  engine: string | null;
  elapsedMs: number | null;
  isExact: boolean | null;
  /** 0 to 1. */
  indexCoverage: number | null;
  /** All metadata, for facts of one route only. */
  all: ReadonlyMap<string, string>;
}

export interface ArrowRows {
  /** 64-bit integers and timestamps are bigint (timestamps in their unit since 1970), decimals are bigint unscaled. */
  table: Table;
  facts: RowFacts;
  sizeBytes: number;
}

export interface ReadRowsOptions {
  signal?: AbortSignal;
  /** Gets what has arrived, a few times a second, while more is coming. */
  onPart?: (rows: ArrowRows) => void;
  /** A stream that is larger is left there; its rows so far are the answer, and `facts.scope` says so. */
  maxBytes?: number;
}

const brokenStream = (why: string, cause?: unknown): AppError =>
  new AppError({
    code: 'STREAM_BROKEN',
    message: `The rows broke off: ${why}.`,
    hint: 'Try again. If it goes on, look at the server’s output.',
    cause,
  });

/** Reads a whole Arrow stream. STREAM_BROKEN when it ends without Arrow's end marker, ABORTED by the signal. */
export async function readArrowRows(response: Response, options: ReadRowsOptions = {}): Promise<ArrowRows> {
  const { rows, isCut } = await readAll(response, options);
  if (isCut) {
    const decoded = decodeArrowRows(rows.complete());
    return { ...decoded, facts: { ...decoded.facts, scope: `first ${rows.rows}` } };
  }
  const bytes = rows.all();
  if (!endsWithMarker(bytes)) throw brokenStream('the stream has no end marker');
  return decodeArrowRows(bytes);
}

/** Decodes a complete Arrow stream, as the server or DuckDB in the browser wrote it. */
export function decodeArrowRows(bytes: Uint8Array): ArrowRows {
  let table: Table;
  try {
    table = tableFromIPC(bytes, {
      useBigInt: true,
      useDate: false,
      useDecimalInt: true,
      useBigIntTimestamp: true,
    });
  } catch (error) {
    throw brokenStream('they are not a valid Arrow stream', error);
  }
  return { table, facts: readFacts(table.schema.metadata ?? new Map()), sizeBytes: bytes.byteLength };
}

async function readAll(
  response: Response,
  { signal, onPart, maxBytes = Number.POSITIVE_INFINITY }: ReadRowsOptions,
): Promise<{ rows: RowsSoFar; isCut: boolean }> {
  const reader = response.body?.getReader();
  if (!reader) throw brokenStream('the answer is empty');
  const rows = new RowsSoFar();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      rows.add(value);
      if (rows.sizeBytes > maxBytes && rows.rows > 0) {
        await reader.cancel();
        return { rows, isCut: true };
      }
      if (onPart && rows.isDue) onPart(decodeArrowRows(rows.complete()));
    }
  } catch (error) {
    if (signal?.aborted) throw abortedError();
    throw brokenStream('the connection closed in the middle', error);
  }
  if (signal?.aborted) throw abortedError();
  return { rows, isCut: false };
}

const endsWithMarker = (bytes: Uint8Array): boolean =>
  bytes.byteLength >= arrowEndMarker.length &&
  arrowEndMarker.every((byte, index) => bytes[bytes.byteLength - arrowEndMarker.length + index] === byte);

function readFacts(metadata: ReadonlyMap<string, string>): RowFacts {
  const number = (key: string): number | null => {
    const text = metadata.get(key);
    return text === undefined || text === '' || !Number.isFinite(Number(text)) ? null : Number(text);
  };
  const text = (key: string): string | null => metadata.get(key) ?? null;
  const exact = metadata.get(wire.exact);
  return {
    ref: text(wire.ref),
    total: number(wire.total),
    scope: text(wire.scope),
    engine: text(wire.engine),
    elapsedMs: number(wire.elapsedMs),
    isExact: exact === undefined ? null : exact === 'true',
    indexCoverage: number(wire.indexCoverage),
    all: metadata,
  };
}
