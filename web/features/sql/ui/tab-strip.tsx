import { Plus, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { cx, IconButton, showToast } from '../../../ui/index.ts';
import { titleOf } from '../model/tab-title.ts';
import { dropRuns, runStore } from '../runs.ts';
import { addTab, closeTab, isDirty, restoreTab, showTab, sqlStore } from '../store.ts';
import styles from './tab-strip.module.css';

function close(id: string): void {
  const closed = closeTab(id);
  dropRuns(id);
  if (closed && closed.tab.sql.trim() !== '')
    showToast(`Closed “${titleOf(closed.tab)}”`, {
      action: { label: 'Undo', run: () => restoreTab(closed) },
    });
}

/** The texts that are open. */
export function TabStrip() {
  const { tabs, activeId } = useStore(sqlStore);
  const strip = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const shown = strip.current?.querySelector(`[data-tab="${activeId}"]`);
    shown?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
  }, [activeId]);
  const runs = useStore(runStore, (state) => state.runs);
  const isRunning = (id: string) =>
    Object.entries(runs).some(([key, { progress }]) => progress !== null && key.startsWith(`${id}/`));
  return (
    <div className={styles.strip}>
      <ul ref={strip} aria-label="Open statements" className={styles.tabs}>
        {tabs.map((tab) => (
          <li key={tab.id} data-tab={tab.id} className={cx(styles.tab, tab.id === activeId && styles.active)}>
            <button
              type="button"
              aria-current={tab.id === activeId}
              className={styles.title}
              onClick={() => showTab(tab.id)}
              onAuxClick={(event) => event.button === 1 && close(tab.id)}
            >
              {isRunning(tab.id) && <span className={styles.running} role="img" aria-label="running" />}
              {titleOf(tab)}
              {isDirty(tab) && (
                <span className={styles.dirty} title="Changed since it was saved">
                  <span aria-hidden> •</span>
                  <span className="visually-hidden"> (changed)</span>
                </span>
              )}
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
      <IconButton label="New statement" icon={<Plus />} size="s" onClick={() => addTab()} />
    </div>
  );
}
