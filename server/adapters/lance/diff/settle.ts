import type { MergeChoice } from '#shared/api/edits.ts';
import { AppError } from '#shared/api/problem.ts';
import { hasBit } from '#shared/domain/bits.ts';
import { conflictKind, rowChange } from '#shared/domain/diff.ts';
import type { Settlement } from '#shared/domain/merge-rows.ts';
import type { Data } from '../../../arrow/arrow.ts';
import { columnFromJson } from '../../../arrow/json-to-cell.ts';
import { columnNamed } from './column-named.ts';
import type { Comparison } from './comparison.ts';
import { mergedField } from './plan-schema.ts';
import type { MergeScope } from './restrict.ts';
import { rowsByKey } from './rows-by-key.ts';

/** What a person chose, by row and column numbers. */
export interface Settled {
  settlements: Settlement[];
  /** Typed values by column; a settlement names its place in the column's list. */
  typed: Map<number, Data>;
  /** Of columns as a whole, by column number. */
  columns: Map<number, 'from' | 'into'>;
}

const quote = (choice: MergeChoice): string =>
  `the row ${JSON.stringify(choice.key)}${choice.column === undefined ? '' : `, column ${choice.column}`}`;

const bad = (choice: MergeChoice, why: string, hint?: string): AppError =>
  new AppError({
    code: 'BAD_REQUEST',
    message: `The choice for ${quote(choice)} cannot be followed: ${why}.`,
    hint,
  });

/** Reads the choices of a merge. BAD_REQUEST names the row and the column of the first that cannot be. */
export function readChoices(scope: MergeScope, choices: readonly MergeChoice[]): Settled {
  const { comparison } = scope;
  const settled: Settled = { settlements: [], typed: new Map(), columns: new Map() };
  if (choices.length === 0) return settled;
  const rowOf = rowsByKey(scope.ordered);
  const values = new Map<number, { value: unknown; choice: MergeChoice }[]>();
  for (const choice of choices) {
    const hasValue = choice.value !== undefined;
    if (!hasValue && choice.take === undefined) throw bad(choice, 'it says neither take nor value');
    const column = choice.column === undefined ? null : columnOf(comparison, choice, choice.column);
    if (choice.key === null && column !== null) {
      settled.columns.set(column, disputeTake(comparison, choice, column));
      continue;
    }
    const row = rowOf(choice.key);
    if (row === null)
      throw bad(
        choice,
        `no row with this key changed on ${comparison.from.ref.branch}`,
        'A key is the value of the key column, or a list of values where the key has several.',
      );
    assertFits(comparison, { choice, row, column });
    if (!hasValue) {
      settled.settlements.push({ row, column, take: choice.take! });
      continue;
    }
    if (column === null) throw bad(choice, 'a value needs a column');
    const list = values.get(column) ?? [];
    values.set(column, list);
    settled.settlements.push({ row, column, take: { typed: list.length } });
    list.push({ value: choice.value, choice });
  }
  for (const [column, list] of values) {
    const field = mergedField(comparison.columns[column]!)!.arrow;
    const name = (at: number): string => `row ${JSON.stringify(list[at]!.choice.key)}`;
    settled.typed.set(
      column,
      columnFromJson(
        field,
        list.map(({ value }) => value),
        name,
      ),
    );
  }
  return settled;
}

function columnOf(comparison: Comparison, choice: MergeChoice, name: string): number {
  const column = columnNamed(comparison, name);
  if (choice.key !== null && comparison.columns[column]!.isKey)
    throw bad(choice, 'the key of a row cannot be chosen');
  return column;
}

function disputeTake({ disputes }: Comparison, choice: MergeChoice, column: number): 'from' | 'into' {
  if (!disputes.some((dispute) => dispute.column === column))
    throw bad(choice, 'the column as a whole is not in conflict');
  if (choice.take !== 'from' && choice.take !== 'into')
    throw bad(choice, 'a column is taken from “from” or from “into”');
  return choice.take;
}

function assertFits(
  { three, conflicts, from }: Comparison,
  { choice, row, column }: { choice: MergeChoice; row: number; column: number | null },
): void {
  const kind = conflicts.kinds[row];
  if (column === null) return;
  if (kind === conflictKind.removedModified || kind === conflictKind.modifiedRemoved)
    throw bad(choice, 'one side removed the row', 'Choose for the row as a whole, without a column.');
  const isChanged =
    three.from[row] === rowChange.added ||
    hasBit(three.fromCells.get(column), row) ||
    hasBit(conflicts.cells.get(column), row);
  if (!isChanged) throw bad(choice, `${from.ref.branch} did not change this cell`);
}
