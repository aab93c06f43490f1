import { Columns3, Copy, Replace, X } from 'lucide-react';
import { lazy, Suspense, useRef } from 'react';
import type { TableDetail } from '#shared/api/tables.ts';
import { mainBranch } from '#shared/domain/ref.ts';
import { openBranchStep } from '../../../state/branch-steps.ts';
import { useCommands } from '../../../state/commands.ts';
import { countSelected, emptySelection } from '../../../state/selection.ts';
import { type TableView, whereOf } from '../../../state/table-view.ts';
import type { SetTableView } from '../../../state/use-table-view.ts';
import { formatOf } from '../../../ui/format-quantity.ts';
import { Button, IconButton, Menu, Spacer, showError, showToast } from '../../../ui/index.ts';
import type { GridColumn, RowSource } from '../../grid/index.ts';
import { type CopyFormat, copyRows } from '../copy-rows.ts';
import { planEditSelection } from '../model/plan-selection.ts';
import { EarlyKeys, RunEarly } from './early-keys.tsx';
import styles from './table.module.css';
import { besideRows } from './viewer-pane.tsx';

const SelectionActions = lazy(() =>
  import('../../edit/index.ts').then((module) => ({ default: module.SelectionActions })),
);
const NewBranchAction = lazy(() =>
  import('./new-branch-action.tsx').then((module) => ({ default: module.NewBranchAction })),
);

const SelectionCrops = lazy(() =>
  import('../../media/index.ts').then((module) => ({ default: module.SelectionCrops })),
);

export interface SelectionBarProps {
  table: string;
  detail: TableDetail | undefined;
  view: TableView;
  setView: SetTableView;
  source: RowSource;
  columns: readonly GridColumn[];
}

/** What is selected, and what can be done with it. */
export function SelectionBar({ table, detail, view, setView, source, columns }: SelectionBarProps) {
  const early = useRef<string | null>(null);
  const total = source.getState().total ?? 0;
  const count = countSelected(view.selection, total);
  const where = whereOf(view.conditions);
  const editSelection = planEditSelection(view.selection, where);
  const copy = async (format: CopyFormat) => {
    try {
      const rows = await copyRows({
        table,
        ref: source.getState().facts?.ref ?? view.refText,
        selection: view.selection,
        count,
        where,
        columns,
        key: detail?.key ?? [],
        format,
        orderBy: view.search ? [] : view.sort,
      });
      showToast(`Copied ${formatOf(rows, 'row')}`);
    } catch (error) {
      showError(error);
    }
  };
  const copyCommand = (id: string, what: string, format: CopyFormat) => ({
    id: `selection.${id}`,
    title: `Copy the selected rows ${what}`,
    group: 'Rows',
    whyNot: () => (count === 0 ? 'No row is selected' : null),
    run: () => copy(format),
  });
  useCommands([
    copyCommand('copyTable', 'as a table', 'tsv'),
    copyCommand('copyJson', 'as JSON', 'json'),
    copyCommand('copySql', 'as a condition', 'sql'),
  ]);
  if (count === 0) return null;
  const done = () => setView({ selection: emptySelection });
  return (
    <section aria-label="Selected rows" className={styles.selectionBar}>
      <span className={styles.selectionCount}>{formatOf(count, 'row')} selected</span>
      {detail && (
        <Suspense fallback={<EarlyKeys early={early} />}>
          <SelectionActions
            table={table}
            detail={detail}
            selection={editSelection}
            count={count}
            onDone={done}
          />
          <NewBranchAction
            table={table}
            detail={detail}
            selection={view.selection}
            where={where}
            onSwitch={(refText) => setView({ refText })}
          />
          <RunEarly early={early} />
        </Suspense>
      )}
      <Button
        size="s"
        icon={<Columns3 />}
        keys="Shift+V"
        whyNot={besideRows(view.selection) ? null : 'Select 2 to 8 rows'}
        onClick={() => setView({ isBeside: true })}
      >
        Side by side
      </Button>
      {detail && columns.some(({ kind }) => kind === 'media') && (
        <Suspense fallback={null}>
          <SelectionCrops
            table={table}
            detail={detail}
            columns={columns}
            source={source}
            pinnedRef={source.getState().facts?.ref ?? view.refText}
            selection={editSelection}
            count={count}
          />
        </Suspense>
      )}
      {detail && (
        <Button
          size="s"
          icon={<Replace />}
          tip="What this branch changed in these rows comes onto another branch"
          whyNot={whyNotBrought(detail, editSelection)}
          onClick={() =>
            'ids' in editSelection &&
            openBranchStep({
              kind: 'cherry-pick',
              table,
              from: view.refText,
              into: detail.branches.find(
                ({ name, isProtected }) => !isProtected && name !== detail.ref.branch,
              )?.name,
              rowIds: editSelection.ids,
            })
          }
        >
          Bring to…
        </Button>
      )}
      <Menu
        label="Copy"
        trigger={
          <Button size="s" icon={<Copy />}>
            Copy
          </Button>
        }
        items={[
          { id: 'tsv', label: 'As a table', hint: 'TSV', keys: 'Mod+C', onSelect: () => void copy('tsv') },
          { id: 'json', label: 'As JSON', hint: 'JSON', onSelect: () => void copy('json') },
          { id: 'sql', label: 'As a condition', hint: 'SQL IN', onSelect: () => void copy('sql') },
        ]}
      />
      <Spacer />
      <IconButton label="Select nothing" keys="Escape" size="s" icon={<X />} onClick={done} />
    </section>
  );
}

/** Why the rows cannot be brought to another branch; `null` when they can. */
function whyNotBrought({ ref }: TableDetail, selection: ReturnType<typeof planEditSelection>): string | null {
  if (ref.branch === mainBranch) return 'These rows are on main: open the branch that changed them';
  return 'ids' in selection ? null : 'Select rows one by one; to bring all, compare and merge';
}
