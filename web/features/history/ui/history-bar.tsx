import { useEffect, useState } from 'react';
import type { BranchInfo } from '#shared/api/tables.ts';
import { Combobox, Select, TextField } from '../../../ui/index.ts';
import { type KindGroup, kindGroups } from '../model/graph-items.ts';
import styles from './history.module.css';

/** What a person narrows the graph to; empty texts mean everything. */
export interface HistoryFilter {
  branch: string;
  author: string;
  kind: KindGroup | '';
  text: string;
}

export const noFilter: HistoryFilter = { branch: '', author: '', kind: '', text: '' };

export interface HistoryBarProps {
  filter: HistoryFilter;
  onChange: (filter: HistoryFilter) => void;
  branches: readonly BranchInfo[];
  /** People whose versions are known so far. */
  authors: readonly string[];
}

const everything = '*';
const otherPrograms = '-';
const settleMs = 250;

/** Narrows the graph by branch, person, kind and words. */
export function HistoryBar({ filter, onChange, branches, authors }: HistoryBarProps) {
  const [text, setText] = useState(filter.text);
  useEffect(() => {
    if (text === filter.text) return;
    const timer = setTimeout(() => onChange({ ...filter, text }), settleMs);
    return () => clearTimeout(timer);
  }, [text, filter, onChange]);
  const [seenText, setSeenText] = useState(filter.text);
  if (seenText !== filter.text) {
    setSeenText(filter.text);
    setText(filter.text);
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: the element is not known everywhere yet
    <div role="search" className={styles.bar} aria-label="Narrow the history">
      <TextField
        label="Find in messages"
        isLabelHidden
        type="search"
        placeholder="Find in messages"
        value={text}
        onChange={setText}
        className={styles.find}
      />
      <Combobox
        label="Versions of"
        value={filter.branch || everything}
        onChange={(branch) => onChange({ ...filter, branch: branch === everything ? '' : branch })}
        options={[
          { value: everything, label: 'All branches' },
          ...branches.map(({ name }) => ({ value: name, label: name })),
        ]}
      />
      <Select
        label="Made by"
        value={filter.author || everything}
        onChange={(author) => onChange({ ...filter, author: author === everything ? '' : author })}
        options={[
          { value: everything, label: 'Everyone' },
          ...authors.map((name) => ({ value: name, label: name })),
          { value: otherPrograms, label: 'Other programs' },
        ]}
      />
      <Select
        label="Kind"
        value={filter.kind || everything}
        onChange={(kind) => onChange({ ...filter, kind: kind === everything ? '' : (kind as KindGroup) })}
        options={[
          { value: everything, label: 'Every kind' },
          ...Object.entries(kindGroups).map(([value, { label }]) => ({ value, label })),
        ]}
      />
    </div>
  );
}

/** The filter as the graph is asked for it. */
export function toGraphFilter({ branch, author, kind, text }: HistoryFilter) {
  return {
    ...(branch ? { branches: [branch] } : {}),
    ...(author ? { authors: [author === otherPrograms ? '' : author] } : {}),
    ...(kind ? { kinds: kindGroups[kind].kinds } : {}),
    ...(text.trim() ? { text: text.trim() } : {}),
  };
}
