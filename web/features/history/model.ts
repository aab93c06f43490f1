import type { TagInfo, VersionInfo } from '#shared/api/tables.ts';
import type { RowCounts } from '#shared/domain/edits.ts';
import { formatRef } from '#shared/domain/ref.ts';
import { formatCount, formatOf } from '../../ui/format-quantity.ts';

/** What a version did, as its glyph and its words tell. */
export type VersionKind =
  | 'create'
  | 'import'
  | 'edit'
  | 'undo'
  | 'merge'
  | 'rebase'
  | 'revert'
  | 'restore'
  | 'schema'
  | 'index'
  | 'compaction'
  | 'other';

const kinds: readonly string[] = [
  'create',
  'import',
  'edit',
  'undo',
  'merge',
  'rebase',
  'revert',
  'restore',
  'schema',
  'index',
  'compaction',
  'other',
];

export const kindOfVersion = (kind: string): VersionKind =>
  kinds.includes(kind) ? (kind as VersionKind) : kind === 'cherry-pick' ? 'merge' : 'other';

/** Versions that leave every row as it was. */
export const isHousekeeping = (version: Pick<VersionInfo, 'kind' | 'rows'>): boolean => {
  const kind = kindOfVersion(version.kind);
  return kind === 'index' || kind === 'compaction' || (kind === 'other' && sumOf(version.rows) === 0);
};

const sumOf = ({ inserted, updated, deleted }: RowCounts): number => inserted + updated + deleted;

/** `3 rows changed, 1 added`; empty where no row did. */
export function describeRows({ inserted, updated, deleted }: RowCounts): string {
  const parts = [
    ...(updated > 0 ? [`${formatOf(updated, 'row')} changed`] : []),
    ...(inserted > 0 ? [`${formatOf(inserted, 'row')} added`] : []),
    ...(deleted > 0 ? [`${formatOf(deleted, 'row')} removed`] : []),
  ];
  return parts.map((part, index) => (index === 0 ? part : part.replace(/ rows? /, ' '))).join(', ');
}

const words: Record<VersionKind, string> = {
  create: 'Created the table',
  import: 'Imported rows',
  edit: 'Edited rows',
  undo: 'Took an edit back',
  merge: 'Merged',
  rebase: 'Brought up to date',
  revert: 'Reverted',
  restore: 'Restored',
  schema: 'Changed the columns',
  index: 'Built an index',
  compaction: 'Tidied the files',
  other: 'Changed by another program',
};

/** What a kind of version is called. */
export const kindWords = (kind: VersionKind): string => words[kind];

/** What a version did, in a line: its message, else what can be told of it. */
export function describeVersion(
  version: Pick<VersionInfo, 'kind' | 'message' | 'rows' | 'mergedFrom' | 'author'>,
): string {
  if (version.message) return version.message;
  const kind = kindOfVersion(version.kind);
  const rows = describeRows(version.rows);
  if (version.mergedFrom && (kind === 'merge' || kind === 'rebase')) {
    return `${words[kind]} ${kind === 'merge' ? '' : 'with '}${version.mergedFrom.branch}`.replace('  ', ' ');
  }
  if (rows !== '' && (kind === 'other' || kind === 'edit')) return rows;
  return words[kind];
}

/** Signed counts for the eye: `+3 ~1 −2`. */
export const signedCounts = ({
  inserted,
  updated,
  deleted,
}: RowCounts): { tone: 'added' | 'modified' | 'removed'; text: string }[] => [
  ...(inserted > 0 ? [{ tone: 'added' as const, text: formatCount(inserted) }] : []),
  ...(updated > 0 ? [{ tone: 'modified' as const, text: formatCount(updated) }] : []),
  ...(deleted > 0 ? [{ tone: 'removed' as const, text: formatCount(deleted) }] : []),
];

/** The day on which a version was made, in the person's zone and words. */
export function dayName(at: Date, now: Date): string {
  if (Number.isNaN(at.getTime())) return 'At an unknown time';
  const midnight = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
  const daysAgo = Math.round((midnight(now) - midnight(at)) / 86_400_000);
  if (daysAgo === 0) return 'Today';
  if (daysAgo === 1) return 'Yesterday';
  return at.toLocaleDateString('en', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(at.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' }),
  });
}

/** The tags that point at a version. */
export const tagsOf = (
  { branch, version }: Pick<VersionInfo, 'branch' | 'version'>,
  tags: readonly TagInfo[],
): TagInfo[] => tags.filter((tag) => tag.branch === branch && tag.version === version);

export const versionRef = ({ branch, version }: Pick<VersionInfo, 'branch' | 'version'>): string =>
  formatRef({ branch, version });
