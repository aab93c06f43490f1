import { valueToken } from './value-token.ts';

export interface FieldChange {
  /** `box.x`, `labels[2]`; empty for a value that is no struct. */
  path: string;
  state: 'added' | 'removed' | 'modified';
  before: unknown;
  after: unknown;
}

const maxDepth = 40;

type Container = { kind: 'object'; entries: Map<string, unknown> } | { kind: 'list'; items: unknown[] };

function containerOf(value: unknown): Container | null {
  if (value === null || typeof value !== 'object' || value instanceof Date || ArrayBuffer.isView(value))
    return null;
  if (Array.isArray(value)) return { kind: 'list', items: value };
  const entries =
    value instanceof Map
      ? [...value].map(([key, entry]) => [String(key), entry] as const)
      : Object.entries(value);
  return { kind: 'object', entries: new Map(entries) };
}

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** The leaves in which two nested values differ, in the order of the new value, then what is only in the old one. */
export function diffFields(before: unknown, after: unknown): FieldChange[] {
  const found: FieldChange[] = [];
  walk('', before, after, 0, found);
  return found;
}

function walk(path: string, before: unknown, after: unknown, depth: number, found: FieldChange[]): void {
  if (valueToken(before) === valueToken(after)) return;
  const old = containerOf(before);
  const next = containerOf(after);
  if (depth < maxDepth && old?.kind === 'object' && next?.kind === 'object') {
    for (const name of new Set([...next.entries.keys(), ...old.entries.keys()])) {
      step(
        join(path, name),
        [old.entries.has(name), old.entries.get(name)],
        [next.entries.has(name), next.entries.get(name)],
        depth,
        found,
      );
    }
    return;
  }
  if (depth < maxDepth && old?.kind === 'list' && next?.kind === 'list') {
    for (let index = 0; index < Math.max(old.items.length, next.items.length); index += 1) {
      step(
        `${path}[${index}]`,
        [index < old.items.length, old.items[index]],
        [index < next.items.length, next.items[index]],
        depth,
        found,
      );
    }
    return;
  }
  found.push({ path, state: 'modified', before, after });
}

type Slot = [isThere: boolean, value: unknown];

function step(
  path: string,
  [isOld, before]: Slot,
  [isNew, after]: Slot,
  depth: number,
  found: FieldChange[],
): void {
  if (isOld && isNew) walk(path, before, after, depth + 1, found);
  else if (isNew) found.push({ path, state: 'added', before: undefined, after });
  else found.push({ path, state: 'removed', before, after: undefined });
}
