import { text as readText } from 'node:stream/consumers';
import type { SqlBody } from '#shared/api/sql.ts';
import { rowsAsCsv } from '../../arrow/rows-as-csv.ts';
import { exitCode } from '../exit-codes.ts';
import { rowsAsLines } from '../export/rows-as-lines.ts';
import { type Command, choiceOf, isSet, textOf, textsOf } from '../parse-command.ts';
import { formatCell, formatColumns, formatCount } from '../print.ts';
import { UsageError } from '../usage.ts';
import { wholeArrowStream, writeLine, writeOut } from '../write-out.ts';
import type { RunVerb } from './run-context.ts';

const shownRows = 1_000;

function refsOf(command: Command): Record<string, string> {
  const pairs = textsOf(command, 'ref').map((text) => {
    const at = text.indexOf('=');
    if (at < 1) throw new UsageError(`--ref is TABLE=REF, not “${text}”.`);
    return [text.slice(0, at), text.slice(at + 1)] as const;
  });
  return Object.fromEntries(pairs);
}

function maxRowsOf(command: Command): number | undefined {
  const value = textOf(command, 'max-rows');
  if (value === undefined) return undefined;
  if (!/^[1-9]\d*$/.test(value)) throw new UsageError('--max-rows is a whole number from 1.');
  return Number(value);
}

interface JsonRows {
  total: number;
  scope: string;
  rows: Record<string, unknown>[];
  elapsedMs?: number;
}

const isNumber = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value));

export const runSql: RunVerb = async ({ client, command, out, err, signal }) => {
  const [statement, ...others] = command.positionals;
  if (statement === undefined || others.length > 0)
    throw new UsageError('sql needs one statement, in quotes.');
  const sql = statement === '-' ? await readText(process.stdin) : statement;
  const format = choiceOf(command, 'format', ['table', 'csv', 'ndjson', 'arrow']) ?? 'table';
  const maxRows = maxRowsOf(command);
  const body: SqlBody = { sql, refs: refsOf(command), ...(maxRows === undefined ? {} : { maxRows }) };
  if (format !== 'table') {
    const chunks = wholeArrowStream(await client.send('runSql', { body, signal }));
    const bytes = format === 'csv' ? rowsAsCsv(chunks) : format === 'ndjson' ? rowsAsLines(chunks) : chunks;
    for await (const part of bytes) await writeOut(out, part);
    return exitCode.ok;
  }
  const isJson = isSet(command, 'json');
  const limited = isJson ? body : { ...body, maxRows: maxRows ?? shownRows };
  const answer = await client.json<JsonRows>('runSql', { query: { format: 'json' }, body: limited, signal });
  if (isJson) {
    await writeLine(out, JSON.stringify(answer));
    return exitCode.ok;
  }
  const names = Object.keys(answer.rows[0] ?? {});
  const rows = answer.rows.map((row) => names.map((name) => formatCell(row[name])));
  const isRight = (column: number): boolean =>
    answer.rows.every((row) => row[names[column]!] === null || isNumber(row[names[column]!]));
  if (names.length > 0) await writeLine(out, formatColumns(names, rows, isRight));
  const scope = answer.scope === 'all' ? '' : ` (${answer.scope})`;
  await writeLine(
    err,
    `${formatCount(answer.rows.length)} ${answer.rows.length === 1 ? 'row' : 'rows'}${scope}`,
  );
  return exitCode.ok;
};
