import { AppError } from '#shared/api/problem.ts';
import { type ColumnType, parseColumnType } from '#shared/domain/column-type.ts';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import { quoteLanceIdent } from '#shared/sql/ident.ts';
import type { TableFacts } from '../../../ports/table-reader.ts';
import { unknownColumn } from '../rows/plan-columns.ts';

export interface TextColumn {
  name: string;
  /** The text of a cell, in Lance's dialect. */
  expression: string;
  /** Share of the rows that its text index covers; null without one. */
  coverage: number | null;
}

const isPlainText = ({ kind }: ColumnType): boolean => kind === 'utf8' || kind === 'large_utf8';

function expressionOf(name: string, type: ColumnType): string | null {
  const quoted = quoteLanceIdent(name);
  if (name.includes('`')) return null;
  if (isPlainText(type)) return quoted;
  if (type.kind === 'dictionary' && isPlainText(type.value)) return `arrow_cast(${quoted}, 'Utf8')`;
  if ((type.kind === 'list' || type.kind === 'large_list') && isPlainText(type.item))
    return `array_to_string(${quoted}, ' ')`;
  return null;
}

const roles = new Set(['text', 'label']);

/** The columns to search words in: those named, else all of texts and labels that are not hidden, else any text. */
export function chooseTextColumns(facts: TableFacts, names: readonly string[] | undefined): TextColumn[] {
  const toColumn = ({ name, type }: ColumnInfo): TextColumn[] => {
    const expression = expressionOf(name, parseColumnType(type));
    const index = facts.indexes.find(({ column, kind }) => column === name && kind === 'text');
    return expression === null ? [] : [{ name, expression, coverage: index?.coverage ?? null }];
  };
  if (names === undefined || names.length === 0) {
    const shown = facts.columns.filter(({ hidden }) => !hidden);
    const texts = shown.filter(({ role }) => roles.has(role)).flatMap(toColumn);
    const chosen = texts.length > 0 ? texts : shown.flatMap(toColumn);
    if (chosen.length > 0) return chosen;
    throw new AppError({
      code: 'UNSUPPORTED',
      message: 'This table has no column of texts to search in.',
      hint: 'Search by a similar row instead, or filter.',
    });
  }
  return [...new Set(names)].map((name) => {
    const info = facts.columns.find((column) => column.name === name);
    if (!info) throw unknownColumn(name, facts);
    const [column] = toColumn(info);
    if (column) return column;
    throw new AppError({
      code: 'BAD_REQUEST',
      message: `“${name}” holds no texts.`,
      hint: 'Words are searched in texts, labels and lists of texts.',
    });
  });
}
