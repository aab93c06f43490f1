import { AppError, abortedError, isAppError } from '#shared/api/problem.ts';
import { wire } from '#shared/api/wire.ts';
import { arrow } from './arrow.ts';
import { dataCellToJson, type JsonCell } from './cell-json.ts';

export const maxJsonRows = 10_000;

export interface RowsAsJson {
  ref: string | null;
  total: number;
  scope: string;
  rows: Record<string, JsonCell>[];
}

const moreFacts = {
  engine: wire.engine,
  elapsedMs: wire.elapsedMs,
  exact: wire.exact,
  indexCoverage: wire.indexCoverage,
};

/** An Arrow stream as JSON for people: up to 10,000 rows, and `scope` says when there are more. */
export async function readRowsAsJson(
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<RowsAsJson> {
  const reader = await arrow.RecordBatchReader.from(chunks).catch(rethrow);
  await reader.open().catch(rethrow);
  if (!reader.schema) rethrow(new Error('no schema'));
  const facts = reader.schema.metadata;
  const rows: Record<string, JsonCell>[] = [];
  let isCut = false;
  try {
    for await (const batch of reader) {
      if (signal.aborted) throw abortedError();
      const names = batch.schema.fields.map(({ name }) => name);
      for (let row = 0; row < batch.numRows && !isCut; row++) {
        if (rows.length === maxJsonRows) isCut = true;
        else
          rows.push(
            Object.fromEntries(
              names.map((name, at) => [name, dataCellToJson(batch.data.children[at]!, row)]),
            ),
          );
      }
      if (isCut) break;
    }
  } catch (error) {
    rethrow(error);
  } finally {
    await reader.cancel();
  }
  const scope = facts.get(wire.scope) ?? 'all';
  return {
    ref: facts.get(wire.ref) ?? null,
    total: Number(facts.get(wire.total) ?? rows.length),
    scope: !isCut ? scope : `first ${maxJsonRows}${scope === 'all' ? '' : ` of ${scope}`}`,
    ...Object.fromEntries(
      Object.entries(moreFacts).flatMap(([name, key]) =>
        facts.has(key) ? [[name, parseFact(facts.get(key)!)]] : [],
      ),
    ),
    rows,
  };
}

function rethrow(error: unknown): never {
  if (isAppError(error) || (error instanceof Error && error.name === 'AbortError')) throw error;
  throw new AppError({
    code: 'STREAM_BROKEN',
    message: 'The rows ended before they were whole.',
    hint: 'Try again.',
    cause: error,
  });
}

function parseFact(text: string): number | boolean | string {
  if (text === 'true' || text === 'false') return text === 'true';
  const number = Number(text);
  return Number.isNaN(number) ? text : number;
}
