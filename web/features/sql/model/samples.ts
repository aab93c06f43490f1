import type { ColumnInfo } from '#shared/domain/columns.ts';
import { writeName } from './quote-name.ts';

export interface Sample {
  title: string;
  sql: string;
}

export interface SampleTable {
  name: string;
  rows: number;
  columns: readonly ColumnInfo[];
  /** Besides main. */
  branches: readonly string[];
}

const first = (
  columns: readonly ColumnInfo[],
  roles: readonly string[],
  types = /./,
): ColumnInfo | undefined =>
  columns.find(({ role, type, hidden }) => !hidden && roles.includes(role) && types.test(type));

/** Names of columns that have few values. */
const groupName = /categ|class|group|kind|label|split|status|type/i;

const isPlainText = /^(utf8|large_utf8|dictionary)/;

/** Statements that teach, over a table that is there. */
export function planSamples({ name, columns, branches }: SampleTable): Sample[] {
  const table = writeName(name);
  const picture = first(columns, ['image', 'video', 'audio']);
  const labels = columns.filter(
    ({ role, type, hidden }) => !hidden && role === 'label' && isPlainText.test(type),
  );
  const label =
    labels.find((column) => groupName.test(column.name)) ??
    labels[0] ??
    first(columns, ['text'], isPlainText);
  const number = first(columns, ['number'], /^(u?int|float|decimal)/);
  const samples: Sample[] = [
    { title: `The first rows of ${name}`, sql: `SELECT *\nFROM ${table}\nLIMIT 100` },
  ];
  if (label)
    samples.push({
      title: `How many of each ${label.name}`,
      sql: `SELECT ${writeName(label.name)}, count(*) AS n\nFROM ${table}\nGROUP BY ALL\nORDER BY n DESC`,
    });
  if (picture && label)
    samples.push({
      title: `One ${picture.name} of each ${label.name}`,
      sql: `SELECT ${writeName(label.name)}, any_value(${writeName(picture.name)}) AS ${writeName(picture.name)}, count(*) AS n\nFROM ${table}\nGROUP BY ALL\nORDER BY n DESC`,
    });
  if (number)
    samples.push({
      title: `The distribution of ${number.name}`,
      sql: `SELECT min(${writeName(number.name)}), median(${writeName(number.name)}), max(${writeName(number.name)})\nFROM ${table}`,
    });
  const [branch] = branches;
  if (branch !== undefined) {
    samples.push({
      title: `Rows that ${branch} and main do not share`,
      sql: `SELECT * FROM "${name}@${branch}"\nEXCEPT\nSELECT * FROM ${table}`,
    });
  }
  return samples;
}
