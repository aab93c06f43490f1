import { AppError } from '#shared/api/problem.ts';
import { arrow, type Field } from '../../../arrow/arrow.ts';
import { columnFromJson } from '../../../arrow/json-to-cell.ts';
import { hasNullKey, type KeyToken, keysOf, keyTokens } from '../write-keys.ts';
import type { OrderedRows } from './order-rows.ts';

/** Whole numbers may come as text, whatever their width. */
const wholeNumber = ({ type }: Field, part: unknown): unknown =>
  type.typeId === arrow.Type.Int && typeof part === 'string' && /^-?\d{1,15}$/.test(part)
    ? Number(part)
    : part;

/** Looks up a row of the comparison by a key as JSON; `null` where no row has it. */
export function rowsByKey({ keys }: OrderedRows): (key: unknown) => number | null {
  const rows = new Map<KeyToken, number>();
  const tokenOf = keyTokens(keys);
  for (let row = 0; row < keys.length; row++) if (!hasNullKey(keys, row)) rows.set(tokenOf(row), row);
  return (key) => {
    const parts = Array.isArray(key) ? key : [key];
    if (parts.length !== keys.fields.length || parts.some((part) => part === null || part === undefined))
      return null;
    try {
      const columns = keys.fields.map((field, at) => columnFromJson(field, [wholeNumber(field, parts[at])]));
      const asked = keysOf(keys.fields, new Map(keys.fields.map(({ name }, at) => [name, columns[at]!])), 1);
      return rows.get(keyTokens(asked)(0)) ?? null;
    } catch (error) {
      if (error instanceof AppError) return null;
      throw error;
    }
  };
}
