import type { TableSummary } from '#shared/api/tables.ts';
import { exitCode } from '../exit-codes.ts';
import { isSet } from '../parse-command.ts';
import { formatBytes, formatColumns, formatCount } from '../print.ts';
import { writeLine } from '../write-out.ts';
import type { RunVerb } from './run-context.ts';

const numbers = new Set([1, 2]);

export const runTables: RunVerb = async ({ client, command, out, err, signal }) => {
  const answer = await client.json<{ tables: TableSummary[] }>('listTables', { signal });
  if (isSet(command, 'json')) {
    await writeLine(out, JSON.stringify(answer));
    return exitCode.ok;
  }
  if (answer.tables.length === 0) {
    await writeLine(err, 'There are no tables yet. Make one: import <path…> --table NAME');
    return exitCode.ok;
  }
  const rows = answer.tables.map(({ name, rows: count, bytes, key, branches }) => [
    name,
    formatCount(count),
    formatBytes(bytes),
    key.join(', '),
    branches.map((branch) => `${branch.name}:${branch.version}`).join(', '),
  ]);
  await writeLine(
    out,
    formatColumns(['table', 'rows', 'size', 'key', 'branches'], rows, (column) => numbers.has(column)),
  );
  return exitCode.ok;
};
