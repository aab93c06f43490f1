import { PencilLine } from 'lucide-react';
import { useState } from 'react';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import { Button } from '../../../ui/index.ts';
import { type Draft, parseDraft, toDraft } from '../model/draft.ts';
import { editorOf } from '../model/editor-kind.ts';
import styles from './cell-editor.module.css';
import { CellEditor } from './cell-editor.tsx';

export interface TypedValueProps {
  column: Pick<ColumnInfo, 'name' | 'type' | 'role'>;
  /** What the editor begins with, as an edit writes it. */
  start: unknown;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  onPick: (value: unknown) => void;
}

/** Takes a typed value for a cell in place of the offered ones; nothing where the column's type has no editor. */
export function TypedValue({ column: info, start, isOpen, onOpen, onPick }: TypedValueProps) {
  const column = { ...info, nullable: true };
  const { kind } = editorOf(column, []);
  const [draft, setDraft] = useState<Draft>(null);
  const [problem, setProblem] = useState<string | null>(null);
  if (!kind) return null;
  if (!isOpen)
    return (
      <Button
        size="s"
        look="quiet"
        icon={<PencilLine />}
        className={styles.type}
        onClick={() => {
          setDraft(toDraft(kind, start, column));
          onOpen(true);
        }}
      >
        Type another value…
      </Button>
    );
  const commit = () => {
    const parsed = parseDraft(kind, draft, column);
    if (!parsed.isValid) return setProblem(parsed.problem);
    setProblem(null);
    onPick(parsed.value);
    onOpen(false);
  };
  return (
    <div className={styles.typing}>
      <CellEditor
        column={column}
        kind={kind}
        draft={draft}
        onChange={(next) => {
          setDraft(next);
          setProblem(null);
        }}
        problem={problem}
        suggestions={[]}
        onCommit={commit}
        onCancel={() => onOpen(false)}
        isLabelHidden
        foot={
          <div className={styles.typingButtons}>
            <Button size="s" onClick={() => onOpen(false)}>
              Cancel
            </Button>
            <Button size="s" look="primary" onClick={commit}>
              Take this value
            </Button>
          </div>
        }
      />
    </div>
  );
}
