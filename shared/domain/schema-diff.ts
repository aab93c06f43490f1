import type { DiffSummary } from '../api/edits.ts';
import { fieldFacts } from '../api/wire.ts';

/** A top-level column as a table stores it. */
export interface SchemaField {
  /** Kept when the column is renamed; given anew by each line of history, so it is only good where lines are shared. */
  id: number;
  name: string;
  /** As `formatColumnType` writes it. */
  type: string;
  /** Role, description, tags and whatever else the column's metadata says. */
  facts: Record<string, string>;
}

export interface FieldPair {
  before: SchemaField | null;
  after: SchemaField | null;
}

/**
 * Which column became which: by field id where the id means the same on both sides, else by name. A column that was
 * dropped and added again under its name is the same column. In the order of `before`, then what `after` added.
 */
export function pairFields(
  before: readonly SchemaField[],
  after: readonly SchemaField[],
  isSharedId: (id: number) => boolean,
): FieldPair[] {
  const free = new Set(after);
  const partners = new Map<SchemaField, SchemaField>();
  const claim = (matches: (field: SchemaField, candidate: SchemaField) => boolean) => {
    for (const field of before) {
      if (partners.has(field)) continue;
      for (const candidate of free) {
        if (!matches(field, candidate)) continue;
        partners.set(field, candidate);
        free.delete(candidate);
        break;
      }
    }
  };
  claim((field, candidate) => field.id === candidate.id && isSharedId(field.id));
  claim((field, candidate) => field.name === candidate.name);
  return [
    ...before.map((field) => ({ before: field, after: partners.get(field) ?? null })),
    ...[...free].map((field) => ({ before: null, after: field })),
  ];
}

/** The columns part of a diff: added, removed, renamed or retyped, and facts that were set. */
export function diffColumns(pairs: readonly FieldPair[]): DiffSummary['columns'] {
  const columns: DiffSummary['columns'] = { added: [], removed: [], changed: [], facts: [] };
  for (const { before, after } of pairs) {
    if (!before && after) columns.added.push(after.name);
    else if (before && !after) columns.removed.push(before.name);
    else if (before && after) {
      if (before.name !== after.name || before.type !== after.type)
        columns.changed.push({ name: after.name, before: formatField(before), after: formatField(after) });
      columns.facts.push(...diffFacts(before, after));
    }
  }
  return columns;
}

const formatField = ({ name, type }: SchemaField): string => `${name} ${type}`;

function diffFacts(before: SchemaField, after: SchemaField): DiffSummary['columns']['facts'] {
  const names = [...new Set([...Object.keys(before.facts), ...Object.keys(after.facts)])].sort();
  return names.flatMap((fact) => {
    const [old, now] = [before.facts[fact] ?? null, after.facts[fact] ?? null];
    return old === now ? [] : [{ column: after.name, fact, before: old, after: now }];
  });
}

/**
 * Facts that `from` gave a column since base and that `into` is to get: where `into` says something else by now, it keeps
 * that. `null` takes a fact away. The key is not merged: it is declared on each branch.
 */
export function mergeFacts(
  base: SchemaField,
  from: SchemaField,
  into: SchemaField,
): Record<string, string | null> {
  const changed = diffFacts(base, from).filter(({ fact, before, after }) => {
    const now = into.facts[fact] ?? null;
    return fact !== fieldFacts.key && now === before && now !== after;
  });
  return Object.fromEntries(changed.map(({ fact, after }) => [fact, after]));
}
