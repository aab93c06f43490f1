import { Settings2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useCommands } from '../../../state/commands.ts';
import { IconButton } from '../../../ui/index.ts';

const SettingsDialog = lazy(() =>
  import('../../tables/index.ts').then((module) => ({ default: module.SettingsDialog })),
);

/** Opens what a table is about and which columns are its key. */
export function TableSettingsAction({ table }: { table: string }) {
  const [isOpen, setOpen] = useState(false);
  useCommands([{ id: 'table.settings', title: 'Table settings', group: 'Table', run: () => setOpen(true) }]);
  return (
    <>
      <IconButton label="Table settings" icon={<Settings2 />} onClick={() => setOpen(true)} />
      {isOpen && (
        <Suspense fallback={null}>
          <SettingsDialog table={table} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
