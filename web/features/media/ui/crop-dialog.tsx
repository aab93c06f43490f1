import { useState } from 'react';
import type { CropBody } from '#shared/api/annotations.ts';
import { useSession } from '../../../api/index.ts';
import { formatOf } from '../../../ui/format-quantity.ts';
import {
  ErrorNote,
  FormDialog,
  Segmented,
  Select,
  Slider,
  showToast,
  TextField,
  useSubmit,
} from '../../../ui/index.ts';
import type { AnnotationSet } from '../model/annotation-sets.ts';
import { startCrops } from '../start-crops.ts';
import type { MediaLook } from '../store.ts';
import styles from './panel.module.css';

/** A choice of what is cut. */
export interface CropScope {
  id: string;
  label: string;
  /** What the button says. */
  verb: string;
  /** The filter of classes and scores goes with it; else it was applied already. */
  isFiltered: boolean;
  body: Pick<CropBody, 'rows' | 'indexes'>;
}

export interface CropDialogProps {
  table: string;
  /** Of the rows. */
  pinnedRef: string;
  media: string;
  /** Media columns to choose from, where there are several. */
  medias?: readonly string[];
  onMedia?: (media: string) => void;
  sets: readonly Pick<AnnotationSet, 'name' | 'layout'>[];
  wanted?: string;
  scopesOf: (set: string) => CropScope[];
  look: MediaLook;
  onClose: () => void;
}

/** Cuts annotations out of their pictures: as rows of a new table, or of a branch that may change. */
export function CropDialog(props: CropDialogProps) {
  const { table, pinnedRef, media, medias = [], sets, scopesOf, look, onClose } = props;
  const { data: session } = useSession();
  const [wanted, setWanted] = useState(props.wanted ?? sets[0]?.name ?? '');
  const chosen = sets.find(({ name: of }) => of === wanted) ?? sets[0];
  const scopes = chosen ? scopesOf(chosen.name) : [];
  const [what, setWhat] = useState(scopes[0]?.id ?? '');
  const scope = scopes.find(({ id }) => id === what) ?? scopes[0];
  const [into, setInto] = useState<'new' | 'branch'>('new');
  const [name, setName] = useState(`${table}-crops`);
  const [target, setTarget] = useState('');
  const [padding, setPadding] = useState(0);
  const branches = (session?.tables ?? []).flatMap((one) =>
    one.branches.filter(({ isProtected }) => !isProtected).map((branch) => `${one.name} @ ${branch.name}`),
  );
  const { submit, isBusy, error } = useSubmit(async () => {
    if (!chosen || !scope) return;
    const [toTable = '', toBranch = ''] = target.split(' @ ');
    await startCrops({
      table,
      body: {
        ref: pinnedRef,
        media,
        layout: chosen.layout,
        padding,
        ...scope.body,
        ...(scope.isFiltered && look.minScore > 0 ? { minScore: look.minScore } : {}),
        ...(scope.isFiltered && look.hiddenClasses.length > 0
          ? { exceptLabels: look.hiddenClasses.map((label) => label || null) }
          : {}),
        into: into === 'new' ? { table: name } : { table: toTable, branch: toBranch },
      },
    });
    showToast('Crops are being cut', { hint: 'The job goes on when you walk away.' });
    onClose();
  });
  if (!chosen || !scope) return null;
  const missing =
    into === 'branch' && target === ''
      ? 'Choose a branch'
      : into === 'new' && name === ''
        ? 'Name the table'
        : null;
  return (
    <FormDialog
      onClose={onClose}
      title="Crops as rows of their own"
      description="Each crop is a row: the cut picture, its class and score, and the key of the row that it is from."
      size="s"
      action={scope.verb}
      whyNot={missing}
      isBusy={isBusy}
      onSubmit={submit}
    >
      {sets.length > 1 && (
        <Select
          label="Annotations"
          value={chosen.name}
          options={sets.map((one) => ({ value: one.name, label: one.name }))}
          onChange={setWanted}
        />
      )}
      {medias.length > 1 && (
        <Select
          label="Pictures"
          value={media}
          options={medias.map((one) => ({ value: one, label: one }))}
          onChange={(next) => props.onMedia?.(next)}
        />
      )}
      {scopes.length > 1 ? (
        <Segmented
          label="What is cut"
          value={scope.id}
          onChange={setWhat}
          options={scopes.map(({ id, label }) => ({ value: id, label }))}
        />
      ) : (
        <p className={styles.note}>{scope.label}</p>
      )}
      {scope.isFiltered && <p className={styles.note}>{filterText(look)}</p>}
      <div>
        <p className={styles.note}>Room around: {Math.round(padding * 100)} % of the sides</p>
        <Slider
          label="Room around"
          className={styles.slider}
          value={padding}
          min={0}
          max={0.5}
          step={0.05}
          onChange={setPadding}
        />
      </div>
      <Segmented
        label="Where they go"
        value={into}
        onChange={setInto}
        options={[
          { value: 'new', label: 'A new table' },
          { value: 'branch', label: 'A branch' },
        ]}
      />
      {into === 'new' ? (
        <TextField label="Name of the table" value={name} onChange={setName} />
      ) : branches.length === 0 ? (
        <p className={styles.note}>
          There is no branch that may change. Make one first, or take a new table.
        </p>
      ) : (
        <Select
          label="Branch"
          value={target || undefined}
          placeholder="Choose"
          options={branches.map((one) => ({ value: one, label: one }))}
          onChange={setTarget}
        />
      )}
      <ErrorNote error={error} title="Nothing was cut." />
    </FormDialog>
  );
}

function filterText({ minScore, hiddenClasses }: MediaLook): string {
  const parts = [
    minScore > 0 ? `with a score from ${minScore.toFixed(2)} on, or without one` : '',
    hiddenClasses.length > 0
      ? `not of the ${formatOf(hiddenClasses.length, 'hidden class', 'hidden classes')}`
      : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'No class and no score is left out.' : `Only those ${parts.join(', and ')}.`;
}
