import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { TableDetail } from '#shared/api/tables.ts';
import { hiddenKeyColumn } from '#shared/domain/names.ts';
import { mainBranch } from '#shared/domain/ref.ts';
import { describeQuery } from '../../../api/index.ts';
import {
  Checkbox,
  Dialog,
  ErrorNote,
  FormDialog,
  Skeleton,
  showToast,
  TextArea,
  useSubmit,
} from '../../../ui/index.ts';
import { canBeKey, planSettings } from '../model/settings.ts';
import { saveSettings } from '../queries.ts';
import styles from './settings-dialog.module.css';

export interface SettingsDialogProps {
  table: string;
  /** Branches that get the same settings as main: those that are to be merged. */
  branches?: readonly string[];
  onClose: () => void;
}

/** What a table is about, and which columns say which row is which. */
export function SettingsDialog(props: SettingsDialogProps) {
  const { table, onClose } = props;
  const { data: detail, error, refetch } = useQuery(describeQuery(table, mainBranch));
  if (detail) return <SettingsForm {...props} detail={detail} />;
  return (
    <Dialog isOpen onOpenChange={onClose} title="Table settings">
      <ErrorNote error={error} title="The settings cannot be shown." onRetry={() => void refetch()} />
      {!error && <Skeleton height={180} />}
    </Dialog>
  );
}

function SettingsForm({
  table,
  branches = [],
  detail,
  onClose,
}: SettingsDialogProps & { detail: TableDetail }) {
  const client = useQueryClient();
  const [description, setDescription] = useState(detail.description);
  const [key, setKey] = useState<readonly string[]>(detail.key);
  const columns = detail.columns.filter(canBeKey);
  const patch = planSettings(detail, { description, key });
  const isNumbered = detail.key.includes(hiddenKeyColumn);
  const toggle = (name: string, isChosen: boolean) =>
    setKey(
      isChosen ? [...key.filter((one) => one !== hiddenKeyColumn), name] : key.filter((one) => one !== name),
    );
  const { submit, isBusy, error } = useSubmit(async () => {
    if (!patch) return onClose();
    await saveSettings(client, {
      table,
      patch,
      branches: [mainBranch, ...branches.filter((branch) => branch !== mainBranch)],
    });
    showToast(`Saved the settings of ${table}`);
    onClose();
  });
  return (
    <FormDialog
      onClose={onClose}
      title="Table settings"
      description={`Of ${table}${branches.length > 0 ? `, on main and ${branches.join(', ')}` : ''}. They are stored in the table itself, for every other program to see.`}
      action="Save"
      isBusy={isBusy}
      onSubmit={submit}
    >
      <TextArea
        label="Description"
        value={description}
        onChange={setDescription}
        autoFocus
        placeholder="What the rows are, and where they come from"
      />
      <fieldset className={styles.key}>
        <legend className={styles.legend}>Row key</legend>
        <p className={styles.hint}>
          The columns whose values say which row is which, the same in every version. Each combination must be
          there once, and never null.
          {isNumbered && ' Until one is chosen, Curio numbers the rows.'}
        </p>
        <div className={styles.columns}>
          {columns.map(({ name, type }) => (
            <Checkbox
              key={name}
              isChecked={key.includes(name)}
              onChange={(isChosen) => toggle(name, isChosen)}
              label={
                <>
                  {name} <span className={styles.type}>{type}</span>
                </>
              }
            />
          ))}
        </div>
      </fieldset>
      <ErrorNote error={error} title="The settings were not saved." />
    </FormDialog>
  );
}
