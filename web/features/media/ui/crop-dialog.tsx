import { type FormEvent, useId, useState } from 'react';
import type { TableDetail } from '#shared/api/tables.ts';
import { useSession } from '../../../api/index.ts';
import { formatCount, formatOf } from '../../../ui/format-quantity.ts';
import {
  Button,
  Dialog,
  ErrorNote,
  Segmented,
  Select,
  Slider,
  showToast,
  TextField,
} from '../../../ui/index.ts';
import type { GridRow } from '../../grid/index.ts';
import type { AnnotationSet } from '../model/annotation-sets.ts';
import { startCrops } from '../start-crops.ts';
import type { MediaLook } from '../store.ts';
import type { AnnotationId } from './annotation-layer.tsx';
import styles from './panel.module.css';

export interface CropDialogProps {
  table: string;
  detail: TableDetail;
  row: GridRow;
  media: string;
  /** As they are shown: what is filtered away is not cut. */
  sets: readonly AnnotationSet[];
  selected: AnnotationId | null;
  look: MediaLook;
  onClose: () => void;
}

type What = 'selected' | 'row' | 'table';

/** Cuts annotations out of their pictures: as rows of a new table, or of a branch that may change. */
export function CropDialog({ table, detail, row, media, sets, selected, look, onClose }: CropDialogProps) {
  const formId = useId();
  const { data: session } = useSession();
  const [wanted, setWanted] = useState(selected?.set ?? sets[0]?.name ?? '');
  const chosen = sets.find(({ name: of }) => of === wanted) ?? sets[0];
  const [what, setWhat] = useState<What>(selected ? 'selected' : 'row');
  const [into, setInto] = useState<'new' | 'branch'>('new');
  const [name, setName] = useState(`${table}-crops`);
  const [target, setTarget] = useState('');
  const [padding, setPadding] = useState(0);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const branches = (session?.tables ?? []).flatMap((one) =>
    one.branches.filter(({ isProtected }) => !isProtected).map((branch) => `${one.name} @ ${branch.name}`),
  );
  if (!chosen) return null;
  const count = what === 'selected' ? 1 : chosen.annotations.length;
  const missing =
    into === 'branch' && target === ''
      ? 'Choose a branch'
      : into === 'new' && name === ''
        ? 'Name the table'
        : null;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (missing || isBusy) return;
    setBusy(true);
    setError(null);
    const [toTable = '', toBranch = ''] = target.split(' @ ');
    try {
      await startCrops({
        table,
        body: {
          ref: row.ref ?? `${detail.ref.branch}:${detail.ref.version}`,
          media,
          layout: chosen.layout,
          padding,
          rows: what === 'table' ? { all: true } : { ids: [row.id] },
          ...(what === 'selected' && selected ? { indexes: [selected.index] } : {}),
          ...(what === 'row' ? { indexes: chosen.annotations.map(({ index }) => index) } : {}),
          ...(what === 'table' && look.minScore > 0 ? { minScore: look.minScore } : {}),
          ...(what === 'table' && look.hiddenClasses.length > 0
            ? { exceptLabels: look.hiddenClasses.map((label) => label || null) }
            : {}),
          into: into === 'new' ? { table: name } : { table: toTable, branch: toBranch },
        },
      });
      showToast('Crops are being cut', { hint: 'The job goes on when you walk away.' });
      onClose();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Crops as rows of their own"
      description="Each crop is a row: the cut picture, its class and score, and the key of the row that it is from."
      size="s"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form={formId} whyNot={missing} isBusy={isBusy}>
            {what === 'table' ? 'Cut them all' : `Cut ${formatOf(count, 'crop')}`}
          </Button>
        </>
      }
    >
      <form id={formId} className={styles.form} style={{ width: 'auto' }} onSubmit={submit}>
        {sets.length > 1 && (
          <Select
            label="Annotations"
            value={chosen.name}
            options={sets.map((one) => ({ value: one.name, label: one.name }))}
            onChange={setWanted}
          />
        )}
        <Segmented<What>
          label="What is cut"
          value={what}
          onChange={setWhat}
          options={[
            ...(selected?.set === chosen.name
              ? [{ value: 'selected' as const, label: 'The selected one' }]
              : []),
            { value: 'row', label: `The ${formatCount(chosen.annotations.length)} shown here` },
            { value: 'table', label: `All of ${formatOf(detail.rows, 'row')}` },
          ]}
        />
        {what === 'table' && <p className={styles.note}>{filterText(look)}</p>}
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
      </form>
    </Dialog>
  );
}

function filterText({ minScore, hiddenClasses }: MediaLook): string {
  const parts = [
    minScore > 0 ? `with a score from ${minScore.toFixed(2)} on, or without one` : '',
    hiddenClasses.length > 0
      ? `not of the ${formatOf(hiddenClasses.length, 'hidden class', 'hidden classes')}`
      : '',
  ].filter((part) => part !== '');
  return parts.length === 0
    ? 'Every annotation of the version that is shown.'
    : `Only those ${parts.join(', and ')}.`;
}
