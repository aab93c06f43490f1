import type { ColumnInfo } from '#shared/domain/columns.ts';
import type { FilterPlace } from '#shared/domain/filter-ops.ts';
import type { FilterTree } from '#shared/domain/filter-tree.ts';
import { type ChipDraft, draftOfChip, newDraft, readDraft } from './chip-draft.ts';

/** What a group asks of its conditions. */
export type GroupMode = 'all' | 'any' | 'none' | 'notAll';

export interface GroupDraft {
  kind: 'group';
  id: string;
  mode: GroupMode;
  items: readonly NodeDraft[];
}

/** A filter while it is made; every part has an id of its own. */
export type NodeDraft =
  | GroupDraft
  | { kind: 'chip'; id: string; draft: ChipDraft }
  | { kind: 'sql'; id: string; text: string };

let made = 0;
const newId = (): string => {
  made += 1;
  return `node-${made}`;
};

export const newChip = (table: string, columns: readonly ColumnInfo[]): NodeDraft => ({
  kind: 'chip',
  id: newId(),
  draft: { ...newDraft(table, columns), operator: 'eq' },
});

export const newGroup = (items: readonly NodeDraft[], mode: GroupMode = 'any'): GroupDraft => ({
  kind: 'group',
  id: newId(),
  mode,
  items,
});

export function draftOfTree(tree: FilterTree): NodeDraft {
  if (tree.kind === 'chip') return { kind: 'chip', id: newId(), draft: draftOfChip(tree.chip) };
  if (tree.kind === 'sql') return { kind: 'sql', id: newId(), text: tree.sql };
  const mode = tree.isNegated ? (tree.mode === 'any' ? 'none' : 'notAll') : tree.mode;
  return newGroup(tree.items.map(draftOfTree), mode);
}

/** The tree that a draft says; null while a part of it is not complete. */
export function treeOfDraft(node: NodeDraft, places: readonly FilterPlace[]): FilterTree | null {
  if (node.kind === 'sql') return node.text.trim() === '' ? null : { kind: 'sql', sql: node.text.trim() };
  if (node.kind === 'chip') {
    const { chip } = readDraft(node.draft, places);
    return chip && { kind: 'chip', chip };
  }
  const items = node.items.map((item) => treeOfDraft(item, places));
  if (items.length === 0 || !items.every((item) => item !== null)) return null;
  return {
    kind: 'group',
    mode: node.mode === 'all' || node.mode === 'notAll' ? 'all' : 'any',
    isNegated: node.mode === 'none' || node.mode === 'notAll',
    items,
  };
}

/** The draft with one part changed; without it where `change` gives null. Groups may be left empty. */
export function changeNode(
  root: GroupDraft,
  id: string,
  change: (node: NodeDraft) => NodeDraft | null,
): GroupDraft {
  const walk = (node: NodeDraft): NodeDraft | null => {
    if (node.id === id) return change(node);
    if (node.kind !== 'group') return node;
    return { ...node, items: node.items.map(walk).filter((item) => item !== null) };
  };
  const changed = walk(root);
  return changed?.kind === 'group' ? changed : root;
}
