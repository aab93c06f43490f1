import type { TableDetail } from '#shared/api/tables.ts';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import { hiddenKeyColumn } from '#shared/domain/names.ts';

type Named = Pick<File, 'name' | 'size' | 'type'>;
type Table = Pick<TableDetail, 'key' | 'columns' | 'name'>;

/** How rows from files get their key: not at all, from the files' names, or counted on from the largest. */
export type KeyPlan =
  | { kind: 'none' }
  | { kind: 'name' | 'count'; column: string }
  | { kind: 'impossible'; why: string };

export function planKey({ key, columns, name }: Table): KeyPlan {
  const declared = key.filter((one) => one !== hiddenKeyColumn);
  const [first] = declared;
  if (first === undefined) return { kind: 'none' };
  const type = columns.find((column) => column.name === first)?.type ?? '';
  if (declared.length === 1 && /^(large_)?utf8$/.test(type)) return { kind: 'name', column: first };
  if (declared.length === 1 && /^u?int(32|64)$/.test(type)) return { kind: 'count', column: first };
  return {
    kind: 'impossible',
    why: `The key of ${name} is ${declared.join(', ')}, which file names cannot give. Import the files as a table instead.`,
  };
}

const stemOf = (name: string): string => name.replace(/\.[^.]+$/, '') || name;

/** A key for each file from its name, none of them taken: `cat`, `cat-2`. */
export function keysFromNames(files: readonly Named[], taken: ReadonlySet<string>): string[] {
  const used = new Set(taken);
  return files.map(({ name }) => {
    const stem = stemOf(name);
    let key = stem;
    for (let count = 2; used.has(key); count += 1) key = `${stem}-${count}`;
    used.add(key);
    return key;
  });
}

/** Keys that count on from the largest one. */
export const keysByCount = (files: readonly Named[], largest: bigint | null): string[] =>
  files.map((_file, at) => String((largest ?? 0n) + BigInt(at + 1)));

const facts: Record<string, (file: Named) => unknown> = {
  path: ({ name }) => name,
  file_name: ({ name }) => name,
  filename: ({ name }) => name,
  size_bytes: ({ size }) => size,
  content_type: ({ type }) => type || null,
};

const fits = ({ type }: ColumnInfo, value: unknown): boolean =>
  typeof value === 'number' ? /^(u?int|float)/.test(type) : /^(large_)?utf8$/.test(type);

/** What a file tells of itself, for columns that have such names. */
export function factsOf(file: Named, columns: readonly ColumnInfo[]): Record<string, unknown> {
  return Object.fromEntries(
    columns.flatMap((column) => {
      const value = facts[column.name.toLowerCase()]?.(file);
      return value !== undefined && value !== null && fits(column, value) ? [[column.name, value]] : [];
    }),
  );
}

/** Columns that cannot be empty and that files say nothing of. */
export const missingColumns = ({ columns }: Table, given: readonly string[]): string[] =>
  columns
    .filter(({ name, nullable, hidden }) => !nullable && !hidden && !given.includes(name))
    .map(({ name }) => name);
