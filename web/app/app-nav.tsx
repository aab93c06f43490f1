import {
  CircleHelp,
  Command,
  GitPullRequestArrow,
  LayoutGrid,
  ListTodo,
  Moon,
  PanelLeftClose,
  PanelLeftOpen,
  SquareTerminal,
  Sun,
  SunMoon,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { usePathname } from 'wouter/use-browser-location';
import { useStore } from 'zustand';
import { useSession } from '../api/queries.ts';
import { jobsPath, parseAddress, reviewsPath, sqlPath, tablePath, tablesPath } from '../state/addresses.ts';
import { useCommands } from '../state/commands.ts';
import { setTheme, themeStore } from '../state/theme.ts';
import { formatCount } from '../ui/format-quantity.ts';
import { cx, IconButton, Menu, Tooltip } from '../ui/index.ts';
import { preloadScreen } from './routes.tsx';
import styles from './shell.module.css';

const foldKey = 'curio.nav.folded';
const narrowWidth = 1100;

/** The navigation: screens, the tables, and at the foot help and the theme. Folds to glyphs. */
export function AppNav({
  onOpenShortcuts,
  onOpenPalette,
}: {
  onOpenShortcuts: () => void;
  onOpenPalette: () => void;
}) {
  const pathname = usePathname();
  const address = parseAddress(pathname);
  const { data: session } = useSession();
  const [isFolded, setFolded] = useFolded();
  useCommands([
    {
      id: 'app.foldNavigation',
      title: isFolded ? 'Unfold the navigation' : 'Fold the navigation',
      group: 'Look',
      keys: ['['],
      run: () => setFolded(!isFolded),
    },
  ]);
  const openReviews = session?.reviews?.open ?? 0;
  const openJobs = session?.jobs.length ?? 0;
  const current = 'table' in address ? address.table : null;
  return (
    <nav aria-label="Main" className={cx(styles.nav, isFolded && styles.folded)}>
      <div className={styles.head}>
        <Link href={tablesPath} className={styles.logo} aria-label="Curio, all tables">
          <img src="/favicon.svg" alt="" width={20} height={20} />
          {!isFolded && 'Curio'}
        </Link>
      </div>
      <ul className={styles.links}>
        <NavLink
          href={tablesPath}
          label="Tables"
          keys="g t"
          icon={<LayoutGrid />}
          isCurrent={address.screen === 'tables'}
          isFolded={isFolded}
          onAim={() => preloadScreen('tables')}
        />
        <NavLink
          href={sqlPath}
          label="SQL"
          keys="g s"
          icon={<SquareTerminal />}
          isCurrent={address.screen === 'sql'}
          isFolded={isFolded}
          onAim={() => preloadScreen('sql')}
        />
        <NavLink
          href={reviewsPath}
          label="Reviews"
          keys="g r"
          icon={<GitPullRequestArrow />}
          isCurrent={address.screen === 'reviews' || address.screen === 'review'}
          isFolded={isFolded}
          count={openReviews || undefined}
          onAim={() => preloadScreen('reviews')}
        />
        <NavLink
          href={jobsPath}
          label="Jobs"
          keys="g j"
          icon={<ListTodo />}
          isCurrent={address.screen === 'jobs'}
          isFolded={isFolded}
          count={openJobs || undefined}
          onAim={() => preloadScreen('jobs')}
        />
      </ul>
      {isFolded ? (
        <span className={styles.grow} />
      ) : (
        <>
          {session && session.tables.length > 0 && <div className={styles.heading}>Tables</div>}
          <ul className={styles.tables}>
            {session?.tables.map((table) => (
              <li key={table.name}>
                <Link
                  href={tablePath(table.name)}
                  className={cx(styles.link, styles.tableLink)}
                  aria-current={table.name === current ? 'page' : undefined}
                  title={table.name}
                >
                  <span className={styles.label}>{table.name}</span>
                  <span className={styles.count}>
                    {formatRoughly(table.rows)}
                    <span className="visually-hidden"> rows</span>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
      <div className={styles.foot}>
        <IconButton label="Commands" keys="Mod+K" side="right" icon={<Command />} onClick={onOpenPalette} />
        <IconButton
          label="Keyboard shortcuts"
          keys="?"
          side="right"
          icon={<CircleHelp />}
          onClick={onOpenShortcuts}
        />
        <ThemeMenu />
        {!isFolded && <span className={styles.grow} />}
        <IconButton
          label={isFolded ? 'Unfold the navigation' : 'Fold the navigation'}
          keys="["
          side="right"
          icon={isFolded ? <PanelLeftOpen /> : <PanelLeftClose />}
          onClick={() => setFolded(!isFolded)}
        />
      </div>
    </nav>
  );
}

interface NavLinkProps {
  href: string;
  label: string;
  keys: string;
  icon: ReactNode;
  isCurrent: boolean;
  isFolded: boolean;
  count?: number;
  onAim: () => void;
}

function NavLink({ href, label, keys, icon, isCurrent, isFolded, count, onAim }: NavLinkProps) {
  return (
    <li>
      <Tooltip text={label} keys={keys} side="right">
        <Link
          href={href}
          className={styles.link}
          aria-current={isCurrent ? 'page' : undefined}
          aria-label={isFolded ? label : undefined}
          onPointerEnter={onAim}
          onFocus={onAim}
        >
          {icon}
          {!isFolded && <span className={styles.label}>{label}</span>}
          {!isFolded && count !== undefined && <span className={styles.count}>{count}</span>}
        </Link>
      </Tooltip>
    </li>
  );
}

function ThemeMenu() {
  const theme = useStore(themeStore, (state) => state.theme);
  const icons = { system: <SunMoon />, light: <Sun />, dark: <Moon /> };
  return (
    <Menu
      label="Theme"
      trigger={<IconButton label="Theme" side="right" icon={icons[theme]} />}
      items={[
        {
          id: 'system',
          label: 'As the system',
          isChecked: theme === 'system',
          onSelect: () => setTheme('system'),
        },
        { id: 'light', label: 'Light', isChecked: theme === 'light', onSelect: () => setTheme('light') },
        { id: 'dark', label: 'Dark', isChecked: theme === 'dark', onSelect: () => setTheme('dark') },
      ]}
    />
  );
}

/** Folded as the person left it; on narrow windows folded unless they opened it. */
function useFolded(): [boolean, (isFolded: boolean) => void] {
  const [choice, setChoice] = useState<string | null>(() => localStorage.getItem(foldKey));
  const [isNarrow, setNarrow] = useState(() => innerWidth < narrowWidth);
  useEffect(() => {
    const onResize = () => setNarrow(innerWidth < narrowWidth);
    addEventListener('resize', onResize);
    return () => removeEventListener('resize', onResize);
  }, []);
  const setFolded = (isFolded: boolean) => {
    localStorage.setItem(foldKey, isFolded ? 'yes' : 'no');
    setChoice(isFolded ? 'yes' : 'no');
  };
  return [choice === null ? isNarrow : choice === 'yes', setFolded];
}

const formatRoughly = (rows: number): string =>
  rows < 10_000
    ? formatCount(rows)
    : new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(rows);
