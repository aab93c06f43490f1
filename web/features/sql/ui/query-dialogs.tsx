import { useQuery, useQueryClient } from '@tanstack/react-query';
import { describeQueryAs, HistoryDialog, SaveDialog, savedQuery } from '../../queries/index.ts';
import { titleOf } from '../model/tab-title.ts';
import { refsShown, saveTabAs, showQuery } from '../saved.ts';
import { changeTab, type SqlTab } from '../store.ts';

export type QueryDialogKind = 'saveAs' | 'facts' | 'history';

export interface QueryDialogsProps {
  tab: SqlTab;
  kind: QueryDialogKind | null;
  onClose: () => void;
}

/** Saving a tab under a name, describing its query, and its earlier texts. */
export function QueryDialogs({ tab, kind, onClose }: QueryDialogsProps) {
  const client = useQueryClient();
  const { saved } = tab;
  const { data: query } = useQuery({
    ...savedQuery(saved?.id ?? ''),
    enabled: kind === 'facts' && saved !== null,
  });
  if (kind === 'saveAs') {
    const pins = Object.entries(refsShown(tab)).map(([table, ref]) => `${table}@${ref}`);
    return (
      <SaveDialog
        title={saved ? `Fork “${saved.name}”` : 'Save query'}
        action={saved ? 'Save fork' : 'Save'}
        about={
          pins.length > 0
            ? `It will always open on ${pins.join(', ')}; “latest” is one click away.`
            : 'It keeps the versions of the tables that it reads now; “latest” is one click away.'
        }
        initial={{
          name: saved ? `${saved.name} (fork)` : titleOf(tab),
          description: '',
          visibility: 'shared',
        }}
        onSave={(facts) => saveTabAs(tab, facts, client)}
        onClose={onClose}
      />
    );
  }
  if (kind === 'facts' && saved && query)
    return (
      <SaveDialog
        title="Name and description"
        action="Change"
        initial={query}
        onSave={async (facts) => {
          const { name, revision } = await describeQueryAs(client, query, facts);
          changeTab(tab.id, { saved: { ...saved, name, revision } });
        }}
        onClose={onClose}
      />
    );
  if (kind === 'history' && saved)
    return (
      <HistoryDialog id={saved.id} onRestored={(restored) => showQuery(tab.id, restored)} onClose={onClose} />
    );
  return null;
}
