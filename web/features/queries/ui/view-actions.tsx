import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link2 } from 'lucide-react';
import { useState } from 'react';
import { savedQueriesQuery } from '../../../api/index.ts';
import { goTo, queryPath } from '../../../state/addresses.ts';
import { useCommands } from '../../../state/commands.ts';
import type { TableView } from '../../../state/table-view.ts';
import { IconButton, Menu, showError, showToast } from '../../../ui/index.ts';
import { latestOf, linkOfView, queryOfView } from '../model/view-link.ts';
import { createQuery } from '../queries.ts';
import { SaveDialog } from './save-dialog.tsx';

export interface ViewActionsProps {
  table: string;
  view: TableView;
  /** The version that is on the screen. */
  pinnedRef: string;
}

/** The workbench lists all of them. */
const shownViews = 20;

async function copy(path: string, said: string): Promise<void> {
  await navigator.clipboard.writeText(new URL(path, location.href).href);
  showToast(said);
}

/** Links to what a table shows, and views that are saved under a name. */
export function ViewActions({ table, view, pinnedRef }: ViewActionsProps) {
  const client = useQueryClient();
  const [isSaving, setSaving] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const { data: queries = [] } = useQuery({ ...savedQueriesQuery, enabled: isOpen });
  const views = queries.filter((query) => query.view?.table === table).slice(0, shownViews);
  const copyPinned = () =>
    void copy(linkOfView(table, view, pinnedRef), `Copied a link to ${table} at ${pinnedRef}`).catch(
      showError,
    );
  const copyLatest = () => {
    const latest = latestOf(pinnedRef);
    void copy(linkOfView(table, view, latest), `Copied a link to the latest ${latest} of ${table}`).catch(
      showError,
    );
  };
  useCommands([
    {
      id: 'table.copyLink',
      title: 'Copy a link to what is shown, at this version',
      group: 'View',
      run: copyPinned,
    },
    { id: 'table.copyLatestLink', title: 'Copy a link to the latest', group: 'View', run: copyLatest },
    {
      id: 'table.saveView',
      title: 'Save this view under a name',
      group: 'View',
      keys: ['Mod+S'],
      run: () => setSaving(true),
    },
  ]);
  return (
    <>
      <Menu
        label="Links and views"
        align="end"
        isOpen={isOpen}
        onOpenChange={setOpen}
        trigger={<IconButton label="Links and views" icon={<Link2 />} />}
        items={[
          { id: 'pinned', label: 'Copy link', hint: pinnedRef, onSelect: copyPinned },
          { id: 'latest', label: 'Copy link to the latest', onSelect: copyLatest },
          'line',
          { id: 'save', label: 'Save view…', keys: 'Mod+S', onSelect: () => setSaving(true) },
          views.length > 0 && { heading: `Saved views of ${table}` },
          ...views.map(({ id, name, refs }) => ({
            id,
            label: name,
            hint: refs[table],
            onSelect: () => goTo(queryPath(id)),
          })),
        ]}
      />
      {isSaving && (
        <SaveDialog
          title="Save view"
          action="Save"
          about={`Filter, order, columns and kind of view of ${table}, at ${pinnedRef}.`}
          initial={{ name: '', description: '', visibility: 'shared' }}
          onSave={async (facts) => {
            const query = { table, query: queryOfView(view) };
            const saved = await createQuery(client, { ...facts, view: query, refs: { [table]: pinnedRef } });
            showToast(`Saved the view “${saved.name}”`, {
              action: { label: 'Open', run: () => goTo(queryPath(saved.id)) },
            });
          }}
          onClose={() => setSaving(false)}
        />
      )}
    </>
  );
}
