import type { Table } from '@lancedb/lancedb';
import { AppError } from '#shared/api/problem.ts';
import { formatFieldFacts, parseFieldFacts } from '#shared/domain/field-facts.ts';
import { didYouMean } from '#shared/domain/near-names.ts';
import type { CallContext } from '../../ports/call.ts';
import type { ColumnFactsPatch, TableWriter } from '../../ports/table-writer.ts';
import { commit } from './apply-commit.ts';
import type { LanceHome } from './connect.ts';
import { keyOf } from './describe.ts';
import { assertCanBeKey } from './key-faults.ts';
import { openBranch, type WriteTarget } from './write-target.ts';

type FactsInput = Parameters<TableWriter['setFacts']>[0];
type Updates = Map<string, Record<string, string | null>>;

const unknownColumn = ({ table, schema }: WriteTarget, name: string): AppError =>
  new AppError({
    code: 'BAD_REQUEST',
    message: `The table ${table} has no column “${name}”.`,
    hint: didYouMean(
      name,
      schema.fields.map((field) => field.name),
    ),
  });

function factsOfPatch({
  role,
  description,
  tags,
  hidden,
  annotations,
}: ColumnFactsPatch): Record<string, string | null> {
  return formatFieldFacts({
    ...(role === undefined ? {} : { role }),
    ...(description === undefined ? {} : { description }),
    ...(tags === undefined ? {} : { tags }),
    ...(hidden === undefined ? {} : { isHidden: hidden }),
    ...(annotations === undefined ? {} : { annotations }),
  });
}

/** What changes in which field's metadata; entries that are as they should be are left out. */
function planUpdates(target: WriteTarget, { key, description, checks, columns }: FactsInput): Updates {
  const updates: Updates = new Map();
  const add = (name: string, facts: Record<string, string | null>) => {
    const field = target.schema.fields.find((candidate) => candidate.name === name);
    if (!field) throw unknownColumn(target, name);
    const changed = Object.entries(facts).filter(
      ([entry, value]) => (field.metadata.get(entry) ?? null) !== value,
    );
    if (changed.length > 0) updates.set(name, { ...updates.get(name), ...Object.fromEntries(changed) });
  };
  for (const [name, patch] of Object.entries(columns ?? {})) add(name, factsOfPatch(patch));
  if (key) {
    for (const name of key) add(name, {});
    for (const { name } of target.schema.fields) {
      const position = key.indexOf(name);
      add(name, formatFieldFacts({ keyPosition: position === -1 ? null : position + 1 }));
    }
  }
  const say = (fact: 'tableDescription' | 'checks', text: string, column = target.schema.fields[0]?.name) => {
    target.schema.fields.forEach((field) => {
      if (field.name === column) add(field.name, formatFieldFacts({ [fact]: text }));
      else if (parseFieldFacts(field.metadata)[fact] !== '')
        add(field.name, formatFieldFacts({ [fact]: '' }));
    });
  };
  if (description !== undefined) say('tableDescription', description);
  // Nobody can drop a key column, and with it the checks.
  if (checks !== undefined) say('checks', checks, keyOf(target.schema)[0]);
  return updates;
}

/**
 * Keeps key, description, checks and column facts in the metadata of the table's fields, as one version, so that every other
 * program sees them. Lance offers no metadata of a table from Node: its description stands in that of the first column, its checks
 * in that of the first key column.
 */
export async function setFacts(
  home: LanceHome,
  input: FactsInput,
  { signal }: CallContext,
): Promise<{ version: number }> {
  const target = await openBranch(home, input.table, input.branch);
  const updates = planUpdates(target, input);
  if (input.key && input.key.length > 0) await assertCanBeKey(target, input.key, signal);
  signal.throwIfAborted();
  if (updates.size > 0) {
    const list: Parameters<Table['updateFieldMetadata']>[0] = [...updates].map(([name, metadata]) => ({
      path: name,
      metadata,
    }));
    await commit(target, () => target.handle.updateFieldMetadata(list));
  }
  return { version: await target.handle.version() };
}
