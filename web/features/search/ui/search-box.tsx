import { Search, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useCommands } from '../../../state/commands.ts';
import { cx, Kbd, Tooltip } from '../../../ui/index.ts';
import styles from './search-box.module.css';

export interface SearchBoxProps {
  /** The text of the search that is on; empty for none. */
  text: string;
  /** `isFinal` where the person pressed Enter. */
  onSearch: (text: string, isFinal: boolean) => void;
  /** Why there is nothing to search in. */
  whyNot: string | null;
}

const typingMs = 300;

/** Text search over the table; searches while one types, Escape gives the rows back. */
export function SearchBox({ text, onSearch, whyNot }: SearchBoxProps) {
  const [typed, setTyped] = useState(text);
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const sent = useRef(text);
  useEffect(() => {
    if (text === sent.current) return;
    sent.current = text;
    setTyped(text);
  }, [text]);
  useEffect(() => () => clearTimeout(timer.current), []);
  useCommands([
    {
      id: 'search.focus',
      title: 'Search',
      group: 'Filter and search',
      keys: ['/'],
      whyNot: () => whyNot,
      run: () => input.current?.focus(),
    },
    {
      id: 'search.clear',
      title: 'End the search',
      group: 'Filter and search',
      whyNot: () => (text ? null : 'There is no search'),
      run: () => search('', true),
    },
  ]);
  const search = (next: string, isFinal: boolean) => {
    clearTimeout(timer.current);
    setTyped(next);
    const run = () => {
      if (next.trim() === sent.current) return;
      sent.current = next.trim();
      onSearch(next.trim(), isFinal);
    };
    if (isFinal) run();
    else timer.current = setTimeout(run, typingMs);
  };
  const box = (
    <label className={cx(styles.box, whyNot && styles.off)}>
      <Search className={styles.icon} aria-hidden />
      <input
        ref={input}
        type="search"
        aria-label="Search"
        className={styles.input}
        placeholder="Search text…"
        value={typed}
        readOnly={whyNot !== null}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => search(event.target.value, false)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') search(typed, true);
          if (event.key !== 'Escape') return;
          event.preventDefault();
          search('', true);
          input.current?.blur();
        }}
      />
      {typed ? (
        <button
          type="button"
          className={styles.clear}
          aria-label="End the search"
          onClick={() => search('', true)}
        >
          <X size={13} />
        </button>
      ) : (
        <span className={styles.keys}>
          <Kbd keys="/" />
        </span>
      )}
    </label>
  );
  return whyNot ? <Tooltip text={whyNot}>{box}</Tooltip> : box;
}
