import { ChevronDown, ChevronUp, Play, Plus, Square, X } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { type Cell, moveCell, removeCell, renameCell } from '#shared/sql/cells.ts';
import { Button, cx, IconButton, showToast, TruthLine } from '../../../ui/index.ts';
import type { RefChange } from '../model/rewrite-ref.ts';
import type { Caret } from '../model/targets.ts';
import { describeProgress, describeResult } from '../model/truth.ts';
import type { LivePlan } from '../queries.ts';
import { renameRun, runKey, runStore } from '../runs.ts';
import { type SqlTab, setStatement } from '../store.ts';
import { CellEditor } from './cell-editor.tsx';
import styles from './notebook.module.css';
import { ResultPane } from './result-pane.tsx';
import type { SqlEditorHandle } from './sql-editor.tsx';

export interface NotebookProps {
  tab: SqlTab;
  cells: readonly Cell[];
  live: LivePlan | null;
  active: number;
  handle: (index: number) => (editor: SqlEditorHandle | null) => void;
  onCaret: (caret: Caret) => void;
  onActive: (index: number) => void;
  onRun: (index: number) => Promise<boolean>;
  onCancel: (name: string) => void;
  onShowError: (index: number) => void;
  onLatest: (index: number) => void;
  onRefChange: (index: number, change: RefChange) => void;
  /** Adds a cell after that one. */
  onAdd: (after: number) => void;
  onFocusCell: (index: number) => void;
}

/** Cells in order, each with its rows; later ones may read earlier ones by name. */
export function Notebook(props: NotebookProps) {
  const { cells, onAdd } = props;
  return (
    <div className={styles.notebook}>
      <ol className={styles.cells} aria-label="Cells">
        {cells.map((cell, index) => (
          <CellView key={cell.name} {...props} cell={cell} index={index} />
        ))}
      </ol>
      <Button size="s" look="quiet" icon={<Plus />} onClick={() => onAdd(cells.length - 1)}>
        Add a cell
      </Button>
    </div>
  );
}

const smallest = 32;

function CellView({ cell, index, ...props }: NotebookProps & { cell: Cell; index: number }) {
  const {
    tab,
    cells,
    live,
    active,
    handle,
    onCaret,
    onActive,
    onRun,
    onShowError,
    onLatest,
    onRefChange,
    onAdd,
  } = props;
  const key = runKey(tab.id, cell.name);
  const run = useStore(runStore, (state) => state.runs[key]);
  const [heightPx, setHeightPx] = useState(smallest);
  const runHere = () => {
    onActive(index);
    void onRun(index);
  };
  const runOn = () => {
    runHere();
    if (index === cells.length - 1) onAdd(index);
    else props.onFocusCell(index + 1);
  };
  const hasAnswer = run !== undefined && (run.result !== null || run.error !== null || run.arriving !== null);
  return (
    <li className={cx(styles.cell, index === active && styles.active)} aria-label={`Cell ${cell.name}`}>
      <CellHead cell={cell} index={index} {...props} onRun={runHere} isRunning={Boolean(run?.progress)} />
      <div className={styles.editor} style={{ height: Math.max(smallest, heightPx) }}>
        <CellEditor
          tab={tab}
          cells={cells}
          index={index}
          live={live}
          handle={handle(index)}
          onCaret={onCaret}
          onRun={runHere}
          onRunOn={runOn}
          onFocus={() => onActive(index)}
          onHeight={setHeightPx}
          hasFocus={index === active}
        />
      </div>
      {run && !run.error && (
        <div className={styles.truth} role="status" aria-label={`Result of ${cell.name}`}>
          <TruthLine
            parts={
              run.progress
                ? describeProgress(run.progress, 0)
                : run.isCancelled
                  ? ['Cancelled']
                  : describeResult(run)
            }
          />
        </div>
      )}
      {hasAnswer && (
        <div className={cx(styles.result, run.error !== null && styles.failed)}>
          <ResultPane
            isInline
            runKey={key}
            onShowError={() => onShowError(index)}
            onLatest={() => onLatest(index)}
            onRefChange={(change) => onRefChange(index, change)}
          />
        </div>
      )}
    </li>
  );
}

interface CellHeadProps extends Omit<NotebookProps, 'onRun'> {
  onRun: () => void;
  cell: Cell;
  index: number;
  isRunning: boolean;
}

function CellHead({ tab, cells, cell, index, isRunning, onRun, onCancel, onAdd }: CellHeadProps) {
  const change = (text: string) => setStatement(tab.id, text);
  const remove = () => {
    const before = tab.sql;
    change(removeCell(tab.sql, index));
    if (cell.body.trim() !== '')
      showToast(`Removed the cell ${cell.name}`, { action: { label: 'Undo', run: () => change(before) } });
  };
  return (
    <div className={styles.head}>
      {isRunning ? (
        <IconButton
          label={`Cancel cell ${cell.name}`}
          size="s"
          icon={<Square />}
          onClick={() => onCancel(cell.name)}
        />
      ) : (
        <IconButton
          label={`Run cell ${cell.name}`}
          keys="Mod+Enter"
          size="s"
          icon={<Play />}
          onClick={onRun}
        />
      )}
      <NameField
        key={cell.name}
        name={cell.name}
        onRename={(label) => {
          const { text, name } = renameCell(tab.sql, index, label);
          if (name === cell.name) return;
          renameRun(tab.id, cell.name, name);
          change(text);
        }}
      />
      <span className={styles.actions}>
        <IconButton
          label={`Move ${cell.name} up`}
          size="s"
          icon={<ChevronUp />}
          isDisabled={index === 0}
          onClick={() => change(moveCell(tab.sql, index, -1))}
        />
        <IconButton
          label={`Move ${cell.name} down`}
          size="s"
          icon={<ChevronDown />}
          isDisabled={index === cells.length - 1}
          onClick={() => change(moveCell(tab.sql, index, 1))}
        />
        <IconButton
          label={`Add a cell after ${cell.name}`}
          size="s"
          icon={<Plus />}
          onClick={() => onAdd(index)}
        />
        <IconButton label={`Remove ${cell.name}`} size="s" icon={<X />} onClick={remove} />
      </span>
    </div>
  );
}

/** What later cells call the result. */
function NameField({ name, onRename }: { name: string; onRename: (label: string) => void }) {
  const [text, setText] = useState(name);
  const settle = () => {
    onRename(text);
    setText(name);
  };
  return (
    <input
      className={styles.name}
      aria-label={`Name of the result of ${name}`}
      title="Later cells read the result by this name"
      value={text}
      size={Math.max(6, text.length + 1)}
      spellCheck={false}
      onChange={(event) => setText(event.target.value)}
      onBlur={settle}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
        if (event.key === 'Escape') setText(name);
      }}
    />
  );
}
