import { Plus, X } from 'lucide-react';
import { useStore } from 'zustand';
import { cx, IconButton, showToast } from '../../../ui/index.ts';
import { dropRun, runStore } from '../runs.ts';
import { addTab, closeTab, restoreTab, type SqlTab, showTab, sqlStore } from '../store.ts';
import styles from './tab-strip.module.css';

/** The first words of a statement, without comments. */
const titleOf = ({ sql }: SqlTab): string => {
  const text = sql.replace(/--.*$/gm, ' ').replace(/\s+/g, ' ').trim();
  return text === '' ? 'New statement' : text.slice(0, 48);
};

function close(id: string): void {
  const closed = closeTab(id);
  dropRun(id);
  if (closed && closed.tab.sql.trim() !== '')
    showToast('Closed the statement', { action: { label: 'Undo', run: () => restoreTab(closed) } });
}

/** The statements that are open. */
export function TabStrip() {
  const { tabs, activeId } = useStore(sqlStore);
  const runs = useStore(runStore, (state) => state.runs);
  return (
    <div className={styles.strip}>
      <ul aria-label="Open statements" className={styles.tabs}>
        {tabs.map((tab) => (
          <li key={tab.id} className={cx(styles.tab, tab.id === activeId && styles.active)}>
            <button
              type="button"
              aria-current={tab.id === activeId}
              className={styles.title}
              onClick={() => showTab(tab.id)}
              onAuxClick={(event) => event.button === 1 && close(tab.id)}
            >
              {runs[tab.id]?.progress && <span className={styles.running} role="img" aria-label="running" />}
              {titleOf(tab)}
            </button>
            {(tabs.length > 1 || tab.sql !== '') && (
              <button
                type="button"
                className={styles.close}
                aria-label={`Close ${titleOf(tab)}`}
                onClick={() => close(tab.id)}
              >
                <X />
              </button>
            )}
          </li>
        ))}
      </ul>
      <IconButton label="New statement" icon={<Plus />} size="s" onClick={addTab} />
    </div>
  );
}
