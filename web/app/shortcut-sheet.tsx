import { useCommandList } from '../state/commands.ts';
import { Dialog, Kbd } from '../ui/index.ts';
import styles from './shell.module.css';

/** The keys that work on this screen. */
export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const commands = useCommandList().filter(
    (command) => command.keys && command.keys.length > 0 && !command.isUnlisted,
  );
  const groups = [...new Set(commands.map((command) => command.group))].reverse();
  return (
    <Dialog isOpen onOpenChange={onClose} title="Keyboard shortcuts" size="l">
      <div className={styles.sheet}>
        {groups.map((group) => (
          <section key={group} className={styles.sheetGroup} aria-label={group}>
            <h3 className={styles.sheetHeading}>{group}</h3>
            {commands
              .filter((command) => command.group === group)
              .map((command) => (
                <div key={command.id} className={styles.sheetRow}>
                  <span>{command.title}</span>
                  <span className={styles.sheetKeys}>
                    {command.keys?.map((keys, index) => (
                      <span key={keys} className={styles.sheetKeys}>
                        {index > 0 && <span className={styles.or}>or</span>}
                        <Kbd keys={keys} />
                      </span>
                    ))}
                  </span>
                </div>
              ))}
          </section>
        ))}
      </div>
    </Dialog>
  );
}
