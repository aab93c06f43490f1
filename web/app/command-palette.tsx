import { useQuery } from '@tanstack/react-query';
import { Command } from 'cmdk';
import { FileCode2, Table2 } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { useState } from 'react';
import { savedQueriesQuery, useSession } from '../api/queries.ts';
import { goTo, queryPath, tablePath } from '../state/addresses.ts';
import { runCommand, useCommandList } from '../state/commands.ts';
import { Kbd } from '../ui/index.ts';
import styles from './shell.module.css';

/** Every command by name, with its keys, and every table. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const commands = useCommandList().filter((command) => !command.input && !command.isHidden);
  const { data: session } = useSession();
  const { data: queries = [] } = useQuery(savedQueriesQuery);
  const groups = [...new Set(commands.map((command) => command.group))].reverse();
  const choose = (run: () => void) => {
    onClose();
    requestAnimationFrame(run);
  };
  return (
    <Radix.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={styles.scrim} />
        <Radix.Content
          aria-describedby={undefined}
          className={styles.palette}
          onCloseAutoFocus={(event) => event.preventDefault()}
        >
          <Radix.Title className="visually-hidden">Commands</Radix.Title>
          <Command label="Commands" loop className={styles.paletteList} style={{ display: 'contents' }}>
            <Command.Input
              className={styles.paletteInput}
              placeholder="Find a command, a table or a saved query…"
              value={text}
              onValueChange={setText}
            />
            <Command.List className={styles.paletteList}>
              <Command.Empty className={styles.nothing}>
                No command, table or saved query is called that.
              </Command.Empty>
              {groups.map((group) => (
                <Command.Group key={group} heading={group}>
                  {commands
                    .filter((command) => command.group === group)
                    .map((command) => {
                      const whyNot = command.whyNot?.() ?? null;
                      return (
                        <Command.Item
                          key={command.id}
                          value={command.id}
                          keywords={[command.title, command.group]}
                          disabled={whyNot !== null}
                          className={styles.paletteItem}
                          onSelect={() => choose(() => runCommand(command.id))}
                        >
                          <span className={styles.paletteText}>{command.title}</span>
                          {whyNot && <span className={styles.why}>{whyNot}</span>}
                          {command.keys?.[0] && <Kbd keys={command.keys[0]} />}
                        </Command.Item>
                      );
                    })}
                </Command.Group>
              ))}
              <Command.Group heading="Tables">
                {session?.tables.map((table) => (
                  <Command.Item
                    key={table.name}
                    value={`table ${table.name}`}
                    className={styles.paletteItem}
                    onSelect={() => choose(() => goTo(tablePath(table.name)))}
                  >
                    <Table2 size={15} aria-hidden />
                    <span className={styles.paletteText}>{table.name}</span>
                  </Command.Item>
                ))}
              </Command.Group>
              {queries.length > 0 && (
                <Command.Group heading="Saved queries">
                  {queries.map(({ id, name, description }) => (
                    <Command.Item
                      key={id}
                      value={`query ${id}`}
                      keywords={[name, description]}
                      className={styles.paletteItem}
                      onSelect={() => choose(() => goTo(queryPath(id)))}
                    >
                      <FileCode2 size={15} aria-hidden />
                      <span className={styles.paletteText}>{name}</span>
                    </Command.Item>
                  ))}
                </Command.Group>
              )}
            </Command.List>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
