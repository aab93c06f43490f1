import { Import, LayoutGrid, List, Table2, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { TableSummary } from '#shared/api/tables.ts';
import { useSession } from '../../../api/index.ts';
import { useCommands } from '../../../state/commands.ts';
import { formatBytes, formatOf } from '../../../ui/format-quantity.ts';
import {
  Button,
  EmptyState,
  ErrorNote,
  IconButton,
  Note,
  Page,
  PageTitle,
  Segmented,
  Select,
  Skeleton,
  Spacer,
  TextField,
  TruthLine,
} from '../../../ui/index.ts';
import { DropZone, ImportDialog, openImport } from '../../import/index.ts';
import { setLayout, useLayout } from '../layout.ts';
import { planTables, type TableLook, type TableOrder } from '../model/tables.ts';
import { IncomingCards, useIncoming } from './incoming-cards.tsx';
import { TableCard, TableLine } from './table-card.tsx';
import styles from './tables-page.module.css';
import { TrashDialog } from './trash-dialog.tsx';

const orders: { value: TableOrder; label: string }[] = [
  { value: 'changed', label: 'Last change' },
  { value: 'name', label: 'Name' },
  { value: 'rows', label: 'Rows' },
  { value: 'size', label: 'Size' },
];

const looks: { value: TableLook; label: string; icon: React.ReactNode; isIconOnly: true }[] = [
  { value: 'cards', label: 'Cards', icon: <LayoutGrid />, isIconOnly: true },
  { value: 'list', label: 'List', icon: <List />, isIconOnly: true },
];

const manyTables = 6;

/** The tables of this place, what comes in, and the way to bring more. */
export function TablesPage() {
  const { data: session, error, isPending, refetch } = useSession();
  const { look, order } = useLayout();
  const [text, setText] = useState('');
  const [isTrashOpen, setTrashOpen] = useState(false);
  const incoming = useIncoming();
  const all = session?.tables ?? [];
  const tables = planTables(all, { text, order });
  useCommands([
    {
      id: 'tables.import',
      title: 'Import files as a table',
      group: 'Tables',
      keys: ['i'],
      run: () => openImport(),
    },
    { id: 'tables.trash', title: 'Show the trash', group: 'Tables', run: () => setTrashOpen(true) },
    {
      id: 'tables.cards',
      title: 'Tables as cards',
      group: 'Tables',
      run: () => setLayout({ look: 'cards' }),
    },
    { id: 'tables.list', title: 'Tables as a list', group: 'Tables', run: () => setLayout({ look: 'list' }) },
  ]);
  const isEmpty = session !== undefined && all.length === 0 && incoming.count === 0;
  return (
    <Page
      isDocument
      bar={
        <>
          <PageTitle>Tables</PageTitle>
          <Spacer />
          {all.length > manyTables && (
            <TextField
              label="Find a table"
              isLabelHidden
              type="search"
              placeholder="Find a table"
              value={text}
              onChange={setText}
              className={styles.find}
            />
          )}
          {all.length > 1 && (
            <>
              <Select
                label="Order"
                isQuiet
                value={order}
                options={orders}
                onChange={(next) => setLayout({ order: next })}
              />
              <Segmented
                label="Look"
                value={look}
                options={looks}
                onChange={(next) => setLayout({ look: next })}
              />
            </>
          )}
          <IconButton label="Trash" icon={<Trash2 />} onClick={() => setTrashOpen(true)} />
          <Button
            look="primary"
            icon={<Import />}
            keys="i"
            tip="Import files, folders or addresses; or drop them anywhere"
            onClick={() => openImport()}
          >
            Import
          </Button>
        </>
      }
      truth={session && <TruthLine parts={truthParts(all, tables)} />}
    >
      <ErrorNote
        error={error}
        title="The tables cannot be shown."
        onRetry={() => void refetch()}
        className={styles.error}
      />
      {session?.notices.map((notice) => (
        <Note key={notice} tone="warn">
          {notice}
        </Note>
      ))}
      {isEmpty && <NoTables />}
      {text !== '' && tables.length === 0 && all.length > 0 && (
        <EmptyState
          title={`No table is called “${text}”`}
          action={<Button onClick={() => setText('')}>Show all tables</Button>}
        />
      )}
      {!isEmpty && (
        <ul className={look === 'cards' ? styles.cards : styles.list} aria-label="Tables">
          <IncomingCards incoming={incoming} look={look} />
          {isPending && ['a', 'b', 'c'].map((key) => <CardPlace key={key} />)}
          {tables.map((table) =>
            look === 'cards' ? (
              <TableCard key={table.name} table={table} />
            ) : (
              <TableLine key={table.name} table={table} />
            ),
          )}
        </ul>
      )}
      <ImportDialog />
      <DropZone />
      {isTrashOpen && <TrashDialog onClose={() => setTrashOpen(false)} />}
    </Page>
  );
}

function truthParts(all: readonly TableSummary[], shown: readonly TableSummary[]): string[] {
  const count =
    shown.length === all.length
      ? formatOf(all.length, 'table')
      : `${shown.length} of ${formatOf(all.length, 'table')}`;
  const rows = shown.reduce((sum, table) => sum + table.rows, 0);
  const bytes = shown.reduce((sum, table) => sum + table.bytes, 0);
  return [count, `${formatOf(rows, 'row')} on main`, formatBytes(bytes)];
}

function NoTables() {
  return (
    <EmptyState
      icon={<Table2 />}
      title="Nothing is here yet"
      action={
        <Button look="primary" icon={<Import />} onClick={() => openImport()}>
          Choose files or a folder…
        </Button>
      }
    >
      Drop a Parquet, CSV or JSON file here, or a folder of pictures, videos or sounds: it becomes a table
      that you can look through, branch and fix. A Lance table that another program puts into Curio’s folder
      shows up by itself.
    </EmptyState>
  );
}

function CardPlace() {
  return (
    <li className={styles.place} aria-hidden>
      <Skeleton height={169} />
      <Skeleton width={140} height={16} />
      <Skeleton width={220} />
    </li>
  );
}
