import type { ColumnInfo } from '#shared/domain/columns.ts';
import type { ColumnChip } from '#shared/domain/filter.ts';
import {
  type FilterOp,
  type FilterPlace,
  type FilterValue,
  type OpInfo,
  parseNumberValue,
} from '#shared/domain/filter-ops.ts';

/** A condition while it is made: what was chosen and typed, whether it makes sense yet or not. */
export interface ChipDraft {
  /** Of the column or field: see {@link placeKey}. */
  place: string;
  /** Of the operator; null for the first that the place offers. */
  operator: string | null;
  texts: readonly string[];
}

export interface Operator {
  key: string;
  label: string;
  op: OpInfo;
  isNegated: boolean;
}

export interface ReadDraft {
  place: FilterPlace | undefined;
  operators: readonly Operator[];
  chosen: Operator | undefined;
  /** A text that is no value of the type. */
  wrong: string | undefined;
  /** Null while values are missing or wrong. */
  chip: ColumnChip | null;
}

export const placeKey = ({ column, path = [] }: { column: string; path?: readonly string[] }): string =>
  JSON.stringify([column, ...path]);

const operatorKey = (op: FilterOp, isNegated = false): string => (isNegated ? `not ${op}` : op);

/** Opposites that another operator says already. */
const isRedundant = (op: FilterOp, isNegated: boolean): boolean =>
  isNegated && ['lt', 'lte', 'gt', 'gte', 'isTrue', 'isFalse'].includes(op);

const operatorsOf = ({ ops }: FilterPlace): Operator[] =>
  ops
    .flatMap((op) => [
      { key: operatorKey(op.op), label: op.label, op, isNegated: false },
      { key: operatorKey(op.op, true), label: op.negatedLabel, op, isNegated: true },
    ])
    .filter((one) => !isRedundant(one.op.op, one.isNegated));

/** A value as it is typed, read for its control. */
function readValue(text: string, { input }: OpInfo): FilterValue | null {
  if (input === 'number' || input === 'integer') return parseNumberValue(text);
  const trimmed = text.trim();
  if (input === 'text') return text;
  if (input === 'date') return /^\d{4}-\d\d-\d\d$/.test(trimmed) ? trimmed : null;
  if (input === 'time') return /^\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(trimmed) ? trimmed : null;
  const time = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?(Z|[+-]\d\d:?\d\d)?)?$/.exec(
    trimmed,
  );
  return time ? `${time[1]} ${time[2] ?? '00:00:00'}${time[3] ?? ''}` : null;
}

const textOf = (value: FilterValue): string => (typeof value === 'object' ? value.number : String(value));

export const draftOfChip = (chip: ColumnChip): ChipDraft => ({
  place: placeKey(chip),
  operator: operatorKey(chip.op, chip.isNegated),
  texts: chip.values.map(textOf),
});

/** What a draft says so far. */
export function readDraft(draft: ChipDraft, places: readonly FilterPlace[]): ReadDraft {
  const place = places.find((one) => placeKey(one) === draft.place);
  const operators = place ? operatorsOf(place) : [];
  const chosen = operators.find(({ key }) => key === draft.operator) ?? operators[0];
  if (!place || !chosen) return { place, operators, chosen, wrong: undefined, chip: null };
  const { op, isNegated } = chosen;
  const most = { none: 0, one: 1, pair: 2, list: Number.POSITIVE_INFINITY }[op.arity];
  const used = draft.texts.slice(0, most);
  const values = used.map((text) => readValue(text, op));
  const wrong = used.find((text, at) => text.trim() !== '' && values[at] === null);
  const needed = Math.min(most, op.arity === 'pair' ? 2 : 1);
  const isWhole =
    values.length >= needed &&
    values.every((value) => value !== null) &&
    (op.input === 'text' || used.every((text) => text.trim() !== ''));
  const { column, path } = place;
  const chip: ColumnChip = {
    column,
    ...(path.length > 0 ? { path } : {}),
    op: op.op,
    values: values as FilterValue[],
    ...(isNegated ? { isNegated } : {}),
  };
  return { place, operators, chosen, wrong, chip: isWhole ? chip : null };
}

const firstColumn = (columns: readonly ColumnInfo[]): string =>
  (
    columns.find((column) => column.role === 'label') ??
    columns.find((column) => column.role === 'text') ??
    columns.find((column) => !column.hidden)
  )?.name ?? '';

const lastColumn = new Map<string, string>();

/** Keeps which column a person filtered a table by, for the next condition. */
export const keepColumn = (table: string, column: string): void => void lastColumn.set(table, column);

/** An empty condition on a column: the one wanted, the last one used, or the likeliest. */
export const newDraft = (
  table: string,
  columns: readonly ColumnInfo[],
  wanted: string | null = null,
): ChipDraft => ({
  place: placeKey({ column: wanted ?? lastColumn.get(table) ?? firstColumn(columns) }),
  operator: null,
  texts: [],
});
