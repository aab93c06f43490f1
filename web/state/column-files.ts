import type { ColumnInfo, ColumnRole } from '#shared/domain/columns.ts';
import { formatBytes } from '../ui/format-quantity.ts';

/** Bytes of files that one edit takes: a request has at most 32 MB, and bytes travel as text. */
export const maxEditBytes = 22_000_000;

const kindOf: Partial<Record<ColumnRole, 'image' | 'video' | 'audio'>> = {
  image: 'image',
  mask: 'image',
  video: 'video',
  audio: 'audio',
};

/** What a picker offers for a column. */
export const acceptOf = (role: ColumnRole): string => (kindOf[role] ? `${kindOf[role]}/*` : '*/*');

/** What a file of a column is called: `picture`, `video`, `sound` or `file`. */
export function wordOf(role: ColumnRole): string {
  const kind = kindOf[role];
  return kind ? { image: 'picture', video: 'video', audio: 'sound' }[kind] : 'file';
}

/** Columns that hold files, in the order of the table. */
export const mediaColumns = (columns: readonly ColumnInfo[]): ColumnInfo[] =>
  columns.filter(({ type, hidden }) => !hidden && /^(blob|(large_)?binary)$/.test(type));

/** Why files cannot be put into a column; `null` when they can. */
export function fileProblem(
  files: readonly Pick<File, 'name' | 'size' | 'type'>[],
  role: ColumnRole,
): string | null {
  const kind = kindOf[role];
  const odd = kind && files.find(({ type }) => type !== '' && !type.startsWith(`${kind}/`));
  if (odd) return `${odd.name} is not a ${wordOf(role)}.`;
  const empty = files.find(({ size }) => size === 0);
  if (empty) return `${empty.name} is empty.`;
  const total = files.reduce((sum, { size }) => sum + size, 0);
  if (total <= maxEditBytes) return null;
  return files.length === 1
    ? `${files[0]!.name} has ${formatBytes(total)}; one edit takes ${formatBytes(maxEditBytes)}. Bring larger files in by an import.`
    : `The ${files.length} files have ${formatBytes(total)} together; one edit takes ${formatBytes(maxEditBytes)}. Add fewer at once, or import them.`;
}

/** Whether a drag, of which only the types can be seen, holds files that fit; what cannot be told may. */
export function mayHold(transfer: Pick<DataTransfer, 'items' | 'types'>, role: ColumnRole): boolean {
  if (!Array.from(transfer.types).includes('Files')) return false;
  const types = Array.from(transfer.items, ({ kind, type }) => (kind === 'file' ? type : null));
  const kind = kindOf[role];
  return types.every((type) => type !== null && (!kind || type.startsWith(`${kind}/`)));
}
