import { FolderPlus, Plus, X } from 'lucide-react';
import { useState } from 'react';
import { isAppError } from '#shared/api/problem.ts';
import { placesOf } from '#shared/domain/filter-ops.ts';
import { treeOfSql, treeToSql } from '#shared/domain/filter-tree.ts';
import { compileFilter } from '#shared/sql/filter.ts';
import { whereOf } from '../../../state/table-view.ts';
import { Button, IconButton, Select, TextField } from '../../../ui/index.ts';
import { conditionsOfSql } from '../model/conditions.ts';
import {
  changeNode,
  draftOfTree,
  type GroupDraft,
  type GroupMode,
  type NodeDraft,
  newChip,
  newGroup,
  treeOfDraft,
} from '../model/tree-draft.ts';
import { ApplyBar } from './apply-bar.tsx';
import { ChipFields } from './chip-fields.tsx';
import styles from './filter.module.css';
import type { FormProps } from './typed-form.tsx';

const modes: { value: GroupMode; label: string }[] = [
  { value: 'all', label: 'all of these hold' },
  { value: 'any', label: 'any of these holds' },
  { value: 'none', label: 'none of these holds' },
  { value: 'notAll', label: 'not all of these hold' },
];

const mostDepth = 6;

/** Conditions in groups: and, or, not, as deep as one likes. */
export function GroupForm(props: FormProps & { initial: string }) {
  const { table, refText, columns, others, isNew, onApply, initial } = props;
  const [root, setRoot] = useState<GroupDraft>(() => {
    const tree = initial.trim() === '' ? null : treeOfSql(initial, columns);
    const draft = tree && draftOfTree(tree);
    if (draft?.kind === 'group') return draft;
    return newGroup(draft ? [draft] : [newChip(table, columns), newChip(table, columns)]);
  });
  const tree = treeOfDraft(root, placesOf(columns));
  const sql = tree ? treeToSql(tree) : undefined;
  const isReady = sql !== undefined && canCompile(sql, columns);
  const change = (id: string, to: (node: NodeDraft) => NodeDraft | null) =>
    setRoot((before) => changeNode(before, id, to));
  return (
    <div className={styles.form}>
      <div className={styles.tree}>
        <GroupEditor {...props} group={root} depth={0} change={change} />
      </div>
      <ApplyBar
        table={table}
        refText={refText}
        where={isReady ? whereOf([...others, { sql }]) : undefined}
        isReady={isReady}
        isNew={isNew}
        onApply={() => isReady && onApply(conditionsOfSql(sql, columns))}
      />
    </div>
  );
}

interface GroupEditorProps extends FormProps {
  group: GroupDraft;
  depth: number;
  change: (id: string, to: (node: NodeDraft) => NodeDraft | null) => void;
}

function GroupEditor(props: GroupEditorProps) {
  const { table, columns, group, depth, change } = props;
  const add = (node: NodeDraft) => change(group.id, () => ({ ...group, items: [...group.items, node] }));
  return (
    <fieldset className={styles.group}>
      <legend className="visually-hidden">Group of conditions</legend>
      <div className={styles.groupHead}>
        <Select<GroupMode>
          label="What must hold"
          value={group.mode}
          options={modes}
          onChange={(mode) => change(group.id, () => ({ ...group, mode }))}
        />
        {depth > 0 && (
          <IconButton
            label="Remove the group"
            size="s"
            icon={<X />}
            onClick={() => change(group.id, () => null)}
          />
        )}
      </div>
      {group.items.map((node) =>
        node.kind === 'group' ? (
          <GroupEditor key={node.id} {...props} group={node} depth={depth + 1} />
        ) : (
          <div key={node.id} className={styles.node}>
            <div className={styles.nodeFields}>
              {node.kind === 'chip' ? (
                <ChipFields
                  table={table}
                  refText={props.refText}
                  columns={columns}
                  draft={node.draft}
                  onChange={(draft) => change(node.id, () => ({ ...node, draft }))}
                />
              ) : (
                <TextField
                  label="SQL condition"
                  isLabelHidden
                  isMono
                  value={node.text}
                  onChange={(text) => change(node.id, () => ({ ...node, text }))}
                  error={problemOf(node.text, columns)}
                />
              )}
            </div>
            <IconButton
              label="Remove the condition"
              size="s"
              icon={<X />}
              onClick={() => change(node.id, () => null)}
            />
          </div>
        ),
      )}
      <div className={styles.line}>
        <Button size="s" look="quiet" icon={<Plus />} onClick={() => add(newChip(table, columns))}>
          Condition
        </Button>
        {depth < mostDepth && (
          <Button
            size="s"
            look="quiet"
            icon={<FolderPlus />}
            onClick={() => add(newGroup([newChip(table, columns)], group.mode === 'any' ? 'all' : 'any'))}
          >
            Group
          </Button>
        )}
      </div>
    </fieldset>
  );
}

function problemOf(text: string, columns: FormProps['columns']): string | undefined {
  if (text.trim() === '') return undefined;
  try {
    compileFilter({ text, columns });
    return undefined;
  } catch (error) {
    if (isAppError(error)) return error.message;
    throw error;
  }
}

const canCompile = (sql: string, columns: FormProps['columns']): boolean =>
  problemOf(sql, columns) === undefined;
