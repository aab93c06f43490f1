import type { GraphVersion } from '#shared/api/history.ts';
import { dayName, isHousekeeping, versionRef } from '../model.ts';
import type { LaneNode } from './plan-lanes.ts';

/** A row of the graph: a day, a version, or a run of versions that left the rows as they were. */
export type GraphItem =
  | { type: 'day'; key: string; label: string }
  | { type: 'version'; key: string; version: GraphVersion }
  | { type: 'fold'; key: string; versions: GraphVersion[] };

/** Versions under their days; runs of housekeeping are folded but for those that were opened. */
export function listItems(
  versions: readonly GraphVersion[],
  { opened, now = new Date() }: { opened: ReadonlySet<string>; now?: Date },
): GraphItem[] {
  const items: GraphItem[] = [];
  let day: string | null = null;
  for (let at = 0; at < versions.length; ) {
    const version = versions[at]!;
    const name = dayName(new Date(version.at), now);
    if (name !== day) items.push({ type: 'day', key: `day ${name} ${at}`, label: name });
    day = name;
    const run = housekeepingFrom(versions, at, now);
    const key = `fold ${versionRef(version)}`;
    if (run.length > 0 && !opened.has(key)) items.push({ type: 'fold', key, versions: run });
    else
      for (const one of run.length > 0 ? run : [version])
        items.push({ type: 'version', key: versionRef(one), version: one });
    at += Math.max(1, run.length);
  }
  return items;
}

function housekeepingFrom(versions: readonly GraphVersion[], first: number, now: Date): GraphVersion[] {
  const day = dayName(new Date(versions[first]!.at), now);
  let end = first;
  while (
    end < versions.length &&
    isHousekeeping(versions[end]!) &&
    dayName(new Date(versions[end]!.at), now) === day
  )
    end += 1;
  return versions.slice(first, end);
}

/** What of an item is drawn in the lanes. */
export function toLaneNode(item: GraphItem): LaneNode | null {
  if (item.type !== 'version') return null;
  const { branch, version, parent, mergedFrom, isSourceThere } = item.version;
  return { branch, version, parent, source: isSourceThere ? mergedFrom : null };
}

/** Where one comes to by walking the versions by keys. */
export function walkTo(
  items: readonly GraphItem[],
  from: string | null,
  step: 1 | -1 | 'first' | 'last',
): string | null {
  const keys = items.flatMap((item) => (item.type === 'version' ? [item.key] : []));
  if (step === 'first') return keys[0] ?? null;
  if (step === 'last') return keys.at(-1) ?? null;
  const at = from === null ? -1 : keys.indexOf(from);
  if (at === -1) return keys[0] ?? null;
  return keys[Math.min(keys.length - 1, Math.max(0, at + step))] ?? null;
}

export type KindGroup = 'edits' | 'merges' | 'columns' | 'restores' | 'imports' | 'housekeeping';

/** Kinds of versions as people look for them. */
export const kindGroups: Record<KindGroup, { label: string; kinds: string[] }> = {
  edits: { label: 'Edits', kinds: ['edit', 'undo', 'other'] },
  merges: { label: 'Merges', kinds: ['merge', 'rebase', 'cherry-pick'] },
  restores: { label: 'Reverts and restores', kinds: ['revert', 'restore'] },
  columns: { label: 'Columns', kinds: ['schema'] },
  imports: { label: 'Imports', kinds: ['create', 'import'] },
  housekeeping: { label: 'Indexes and tidying', kinds: ['index', 'compaction'] },
};
