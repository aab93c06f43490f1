import { useQuery } from '@tanstack/react-query';
import { GitBranch, History, Lock, Tag } from 'lucide-react';
import { useState } from 'react';
import type { BranchInfo } from '#shared/api/tables.ts';
import { mainBranch } from '#shared/domain/ref.ts';
import { callJson } from '../../../api/index.ts';
import { formatAgo, formatOf } from '../../../ui/format-quantity.ts';
import { Combobox } from '../../../ui/index.ts';
import { describeRef, listRefOptions, pinnedText, readRef } from '../../branches/index.ts';
import styles from './compare-bar.module.css';

export interface RefChoiceProps {
  label: string;
  table: string;
  refText: string;
  branches: readonly BranchInfo[];
  onChange: (ref: string) => void;
}

const shownVersions = 40;

const icons = { Branches: <GitBranch />, Tags: <Tag />, Version: <History /> };

/** One side of a comparison: any branch, tag or version; tags and versions are asked for when the list opens. */
export function RefChoice({ label, table, refText, branches, onChange }: RefChoiceProps) {
  const [isOpen, setOpen] = useState(false);
  const ref = readRef(refText);
  const branch = ref.kind === 'branch' ? ref.branch : mainBranch;
  const tags = useQuery({
    queryKey: ['table', table, 'tags'],
    queryFn: ({ signal }) => callJson('listTags', { params: { table }, signal }),
    enabled: isOpen,
    staleTime: 15_000,
  });
  const history = useQuery({
    queryKey: ['table', table, 'recent-versions', branch],
    queryFn: ({ signal }) =>
      callJson('history', { params: { table }, query: { ref: branch, limit: shownVersions }, signal }),
    enabled: isOpen,
    staleTime: 15_000,
  });
  const known = listRefOptions({ branches, tags: tags.data?.tags ?? [], refText });
  const taken = new Set(known.map(({ value }) => value));
  const versions = (history.data?.versions ?? []).filter(
    (version) => !taken.has(pinnedText(version.branch, version.version)),
  );
  return (
    <Combobox
      label={label}
      value={refText}
      isOpen={isOpen}
      onOpenChange={setOpen}
      onChange={onChange}
      onCreate={onChange}
      createLabel={(text) => `Compare with “${text}”`}
      searchPlaceholder="Find a branch, tag or version, or type branch:12…"
      className={styles.choice}
      options={[
        ...known.map((option) => ({
          value: option.value,
          label: option.label,
          group: option.group,
          icon: option.isProtected ? <Lock aria-label="protected" /> : icons[option.group],
          ...(option.ahead > 0 ? { hint: `${formatOf(option.ahead, 'commit')} ahead` } : {}),
        })),
        ...versions.map((version) => ({
          value: pinnedText(version.branch, version.version),
          label: `${version.branch} · version ${version.version}`,
          group: `Versions of ${branch}`,
          keywords: [version.message ?? '', version.author ?? ''],
          icon: <History />,
          hint: [version.message?.slice(0, 40), formatAgo(version.at)].filter(Boolean).join(' · '),
        })),
      ]}
    >
      <span className={styles.ref}>
        {ref.kind === 'tag' ? (
          <Tag aria-label="tag" />
        ) : ref.version === undefined ? (
          <GitBranch aria-hidden />
        ) : (
          <History aria-label="version" />
        )}
        {describeRef(ref)}
      </span>
    </Combobox>
  );
}
