import type { Table } from '@lancedb/lancedb';
import { AppError } from '#shared/api/problem.ts';
import { parseFieldFacts } from '#shared/domain/field-facts.ts';
import { hiddenKeyColumn } from '#shared/domain/names.ts';
import { formatRef, type PinnedRef } from '#shared/domain/ref.ts';
import type { Field, Schema } from '../../arrow/arrow.ts';
import { isBlobField } from './column-type-arrow.ts';
import type { LanceHome } from './connect.ts';
import { withLanceErrors } from './lance-errors.ts';
import { openHead } from './open-table.ts';

/** A branch at its head, ready to be written to. */
export interface WriteTarget {
  home: LanceHome;
  table: string;
  branch: string;
  handle: Table;
  schema: Schema;
  /** Declared key columns in their order, else the hidden key; empty in tables without a key. */
  key: string[];
  hasBlobs: boolean;
}

export const headMoved = (table: string, head: PinnedRef, version: number): AppError =>
  new AppError({
    code: 'HEAD_MOVED',
    message: `${head.branch} of ${table} is at version ${version} by now, not at ${head.version}.`,
    hint: 'Look at what changed and try again.',
  });

/** Opens a branch for writing. HEAD_MOVED when its newest version is not that of `head`. */
export async function openWriteTarget(home: LanceHome, table: string, head: PinnedRef): Promise<WriteTarget> {
  const target = await openBranch(home, table, head.branch);
  const version = await withLanceErrors({ table, ref: head, home: home.path }, () => target.handle.version());
  if (version !== head.version) throw headMoved(table, head, version);
  return target;
}

/** Opens a branch for writing at whatever its newest version is. */
export async function openBranch(home: LanceHome, table: string, branch: string): Promise<WriteTarget> {
  const handle = await openHead(home, table, branch);
  const schema = await withLanceErrors({ table, home: home.path }, () => handle.schema());
  return {
    home,
    table,
    branch,
    handle,
    schema,
    key: keyColumns(schema),
    hasBlobs: schema.fields.some(isBlobField),
  };
}

/** The key columns of a schema, in their order. */
export function keyColumns(schema: Schema): string[] {
  const declared = schema.fields
    .map((field) => ({ name: field.name, position: parseFieldFacts(field.metadata).keyPosition }))
    .filter((column) => column.position !== null)
    .sort((a, b) => (a.position ?? 0) - (b.position ?? 0));
  if (declared.length > 0) return declared.map(({ name }) => name);
  return schema.fields.some(({ name }) => name === hiddenKeyColumn) ? [hiddenKeyColumn] : [];
}

/** A column of the target's schema that is known to be there. */
export function fieldOf(
  { schema, table, branch }: Pick<WriteTarget, 'schema' | 'table' | 'branch'>,
  name: string,
): Field {
  const field = schema.fields.find((each) => each.name === name);
  if (field) return field;
  throw new AppError({
    code: 'CONFLICT',
    message: `${formatRef({ kind: 'branch', branch })} of ${table} has no column “${name}” any more.`,
    hint: 'Look at what changed and try again.',
  });
}
