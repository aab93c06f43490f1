import { AppError } from '#shared/api/problem.ts';
import { fieldFacts } from '#shared/api/wire.ts';
import { isMediaType } from '#shared/domain/column-role.ts';
import { type ColumnType, parseColumnType } from '#shared/domain/column-type.ts';
import type { ColumnInfo, ColumnRole } from '#shared/domain/columns.ts';
import { didYouMean } from '#shared/domain/near-names.ts';
import type { TableFacts } from '../../../ports/table-reader.ts';
import { isReadableName } from '../column-type-arrow.ts';

export const rowIdColumn = '_rowid';

/** Columns that Lance adds to every table; they can be asked for by name. */
const systemColumns: ReadonlySet<string> = new Set([
  rowIdColumn,
  '_row_created_at_version',
  '_row_last_updated_at_version',
]);

export interface PlannedColumn {
  name: string;
  type: ColumnType;
  role: ColumnRole;
  /** Travels as address, size and kind. */
  isMedia: boolean;
}

export interface ColumnPlan {
  columns: PlannedColumn[];
  /** What Lance is asked for. */
  selection: string[];
  /** Metadata of the outgoing fields. */
  fieldFacts: Map<string, Record<string, string>>;
}

export const unknownColumn = (name: string, facts: TableFacts): AppError =>
  new AppError({
    code: 'SQL_BIND',
    message: `There is no column “${name.slice(0, 80)}”.`,
    hint:
      didYouMean(
        name,
        facts.columns.map((column) => column.name),
      ) ?? `The columns are ${namesOf(facts)}.`,
  });

function namesOf({ columns }: TableFacts): string {
  const names = columns
    .slice(0, 12)
    .map(({ name }) => name)
    .join(', ');
  return columns.length > 12 ? `${names}, …` : names;
}

const unreadableColumn = (name: string): AppError =>
  new AppError({
    code: 'UNSUPPORTED',
    message: `The column “${name}” cannot be read: Lance cannot be asked for its name.`,
    hint: 'Rename the column with the program that wrote the table.',
  });

const plan = ({ name, type: text, role }: ColumnInfo): PlannedColumn => {
  const type = parseColumnType(text);
  return { name, type, role, isMedia: isMediaType(type) };
};

/** The columns of a result: those asked for, in their order, or all that are not hidden; `_rowid` always comes along. */
export function planColumns(facts: TableFacts, names: readonly string[] | undefined): ColumnPlan {
  const columns: PlannedColumn[] = [];
  const wanted =
    names ??
    facts.columns.filter(({ name, hidden }) => !hidden && isReadableName(name)).map(({ name }) => name);
  for (const name of new Set([...wanted, rowIdColumn])) {
    const info = facts.columns.find((column) => column.name === name);
    if (!isReadableName(name)) throw info ? unreadableColumn(name) : unknownColumn(name, facts);
    if (info) columns.push(plan(info));
    else if (systemColumns.has(name))
      columns.push({ name, type: { kind: 'uint64' }, role: 'other', isMedia: false });
    else throw unknownColumn(name, facts);
  }
  return {
    columns,
    selection: columns.map(({ name }) => name),
    fieldFacts: new Map(
      columns
        .filter(({ name }) => !systemColumns.has(name))
        .map(({ name, role, isMedia }) => [
          name,
          { [fieldFacts.role]: role, ...(isMedia ? { [fieldFacts.cell]: 'blob' } : {}) },
        ]),
    ),
  };
}
