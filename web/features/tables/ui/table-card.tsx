import { useQueryClient } from '@tanstack/react-query';
import { Ellipsis, GitBranch, History, Settings2, SquareTerminal, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { BranchInfo, TableSummary } from '#shared/api/tables.ts';
import { hiddenKeyColumn } from '#shared/domain/names.ts';
import { quoteIdent } from '#shared/sql/ident.ts';
import { comparePath, goTo, sqlPath, tablePath } from '../../../state/addresses.ts';
import { formatAgo, formatBytes, formatMoment, formatOf } from '../../../ui/format-quantity.ts';
import { IconButton, Menu, Note, showError } from '../../../ui/index.ts';
import { commitsAhead, mergeTarget } from '../../branches/index.ts';
import { workBranches } from '../model/tables.ts';
import { trashTable } from '../queries.ts';
import { SettingsDialog } from './settings-dialog.tsx';
import styles from './table-card.module.css';
import { TableStrip } from './table-strip.tsx';

const shownBranches = 3;

/** A table at a glance: pictures, size, what is open on it, last change. */
export function TableCard({ table }: { table: TableSummary }) {
  return (
    <li className={styles.card} aria-label={table.name}>
      <TableStrip table={table} size="card" />
      <div className={styles.body}>
        <div className={styles.head}>
          <h2 className={styles.name}>
            <Link href={tablePath(table.name)} className={styles.open}>
              {table.name}
            </Link>
          </h2>
          <TableMenu table={table} />
        </div>
        {table.description && <p className={styles.description}>{table.description}</p>}
        <p className={styles.facts}>
          <TableFacts table={table} />
        </p>
        <Branches table={table} />
        {table.notices.map((notice) => (
          <div key={notice} className={styles.notice}>
            <Note tone="warn">{notice}</Note>
          </div>
        ))}
      </div>
    </li>
  );
}

/** The same in one line. */
export function TableLine({ table }: { table: TableSummary }) {
  return (
    <li className={styles.line} aria-label={table.name}>
      <TableStrip table={table} size="line" />
      <div className={styles.lineName}>
        <h2 className={styles.name}>
          <Link href={tablePath(table.name)} className={styles.open}>
            {table.name}
          </Link>
        </h2>
        <p className={styles.facts}>
          <TableFacts table={table} />
        </p>
        {table.notices.map((notice) => (
          <div key={notice} className={styles.notice}>
            <Note tone="warn">{notice}</Note>
          </div>
        ))}
      </div>
      <div className={styles.lineBranches}>
        <Branches table={table} />
      </div>
      <TableMenu table={table} />
    </li>
  );
}

function TableFacts({ table }: { table: TableSummary }) {
  const shownKey = table.key.filter((name) => name !== hiddenKeyColumn);
  return (
    <>
      <span className={styles.rows}>{formatOf(table.rows, 'row')}</span>
      <span>{formatBytes(table.bytes)}</span>
      {shownKey.length > 0 && <span title="The key says which row is which">key {shownKey.join(', ')}</span>}
      <span title={formatMoment(table.updatedAt)}>changed {formatAgo(table.updatedAt)}</span>
    </>
  );
}

function Branches({ table }: { table: TableSummary }) {
  const branches = workBranches(table);
  if (branches.length === 0) return null;
  return (
    <ul className={styles.branches} aria-label={`Branches of ${table.name}`}>
      {branches.slice(0, shownBranches).map((branch) => (
        <BranchLine key={branch.name} table={table.name} branch={branch} />
      ))}
      {branches.length > shownBranches && (
        <li className={styles.more}>
          and {formatOf(branches.length - shownBranches, 'branch more', 'branches more')}
        </li>
      )}
    </ul>
  );
}

function BranchLine({ table, branch }: { table: string; branch: BranchInfo }) {
  const ahead = commitsAhead(branch);
  return (
    <li className={styles.branch}>
      <GitBranch aria-hidden />
      <Link href={tablePath(table, { ref: branch.name })} className={styles.branchName}>
        {branch.name}
      </Link>
      {ahead > 0 ? (
        <Link
          href={comparePath(table, branch.name, mergeTarget(branch))}
          className={styles.ahead}
          aria-label={`${formatOf(ahead, 'commit')} ahead: compare ${branch.name} with ${mergeTarget(branch)}`}
        >
          {formatOf(ahead, 'commit')} ahead
        </Link>
      ) : (
        <span className={styles.quiet}>no changes</span>
      )}
      <span className={styles.when} title={formatMoment(branch.updatedAt)}>
        {formatAgo(branch.updatedAt)}
      </span>
    </li>
  );
}

/** What one asks first of a table. */
const firstStatement = (table: string): string =>
  `SELECT *\nFROM ${/^[a-z_][a-z0-9_]*$/i.test(table) ? table : quoteIdent(table)}\nLIMIT 100`;

function TableMenu({ table }: { table: TableSummary }) {
  const client = useQueryClient();
  const [isSettingsOpen, setSettingsOpen] = useState(false);
  return (
    <>
      <Menu
        label={`Actions for ${table.name}`}
        align="end"
        trigger={
          <IconButton
            label={`Actions for ${table.name}`}
            size="s"
            icon={<Ellipsis />}
            className={styles.menu}
          />
        }
        items={[
          {
            id: 'history',
            label: 'History',
            icon: <History />,
            onSelect: () => goTo(tablePath(table.name, { view: 'history' })),
          },
          {
            id: 'sql',
            label: 'Ask with SQL',
            icon: <SquareTerminal />,
            onSelect: () => goTo(`${sqlPath}?q=${encodeURIComponent(firstStatement(table.name))}`),
          },
          { id: 'settings', label: 'Settings…', icon: <Settings2 />, onSelect: () => setSettingsOpen(true) },
          'line',
          {
            id: 'trash',
            label: 'Move to the trash',
            icon: <Trash2 />,
            isDanger: true,
            onSelect: () => void trashTable(client, table.name).catch(showError),
          },
        ]}
      />
      {isSettingsOpen && <SettingsDialog table={table.name} onClose={() => setSettingsOpen(false)} />}
    </>
  );
}
