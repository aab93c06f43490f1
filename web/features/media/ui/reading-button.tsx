import { useQueryClient } from '@tanstack/react-query';
import { Settings2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { TableDetail } from '#shared/api/tables.ts';
import { type BoxForm, type BoxUnit, boxForms, boxUnits } from '#shared/domain/annotations/box-form.ts';
import type { AnnotationFact, AnnotationLayout, GeometryLayout } from '#shared/domain/annotations/layout.ts';
import {
  formatSkeleton,
  parseSkeleton,
  type Skeleton,
  skeletonOf,
} from '#shared/domain/annotations/skeleton.ts';
import { callJson, refreshHeads } from '../../../api/index.ts';
import {
  Button,
  ErrorNote,
  IconButton,
  Popover,
  Select,
  showToast,
  TextArea,
  TextField,
} from '../../../ui/index.ts';
import styles from './panel.module.css';

export interface ReadingButtonProps {
  table: string;
  detail: TableDetail;
  layout: AnnotationLayout;
}

const formLabels: Record<BoxForm, string> = {
  xywh: 'x, y, width, height (COCO)',
  xyxy: 'x min, y min, x max, y max (Pascal VOC)',
  cxcywh: 'centre x, centre y, width, height (YOLO)',
  yxyx: 'y min, x min, y max, x max (TensorFlow)',
};
const unitLabels: Record<BoxUnit, string> = {
  pixel: 'Pixels of the picture',
  share: 'Shares of the picture (0 to 1)',
  thousand: 'Thousandths of the picture',
};

/** How a column is read: proposed from its values, set here, and kept in the table’s own metadata. */
export function ReadingButton(props: ReadingButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const { layout } = props;
  return (
    <Popover
      label={`How ${layout.column} is read`}
      isOpen={isOpen}
      onOpenChange={setOpen}
      align="end"
      trigger={<IconButton label={`How ${layout.column} is read`} size="s" icon={<Settings2 />} />}
    >
      <ReadingForm {...props} onDone={() => setOpen(false)} />
    </Popover>
  );
}

function ReadingForm({ table, detail, layout, onDone }: ReadingButtonProps & { onDone: () => void }) {
  const client = useQueryClient();
  const [draft, setDraft] = useState(layout);
  const [classes, setClasses] = useState((layout.classes ?? []).join('\n'));
  const keypoints = layout.geometry.find((one) => one.kind === 'keypoints');
  const [points, setPoints] = useState(() =>
    keypoints?.names ? formatSkeleton(skeletonOf(keypoints, 0) ?? { names: [], lines: [] }) : '',
  );
  const { unknown, ...skeleton } = parseSkeleton(points);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const isStored = detail.columns.find(({ name }) => name === layout.column)?.annotations !== undefined;
  const box = draft.geometry.find((one) => one.kind === 'box');
  const turned = draft.geometry.find((one) => one.kind === 'rotated');
  const save = async (annotations: AnnotationFact | null, said: string) => {
    setBusy(true);
    setError(null);
    try {
      const { branch } = detail.ref;
      await callJson('patchTable', {
        params: { table },
        body: { branch, columns: { [layout.column]: { annotations } } },
      });
      await refreshHeads(client, table);
      showToast(said);
      onDone();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const names = classes.split('\n').map((name) => name.trim());
    while (names.at(-1) === '') names.pop();
    const geometry = draft.geometry.map((one) =>
      one.kind === 'keypoints' ? withSkeleton(one, skeleton) : one,
    );
    void save(
      { ...draft, geometry, classes: names.length === 0 ? null : names },
      `${layout.column} is read as you said`,
    );
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <p className={styles.note}>
        {isStored
          ? 'Said in the table’s metadata, where other tools see it too.'
          : 'Guessed from names, types and values.'}
      </p>
      {box && (
        <Select
          label="Numbers of a box"
          value={box.form}
          options={boxForms.map((form) => ({ value: form, label: formLabels[form] }))}
          onChange={(form) =>
            setDraft({
              ...draft,
              geometry: draft.geometry.map((one) => (one === box ? { ...box, form } : one)),
            })
          }
        />
      )}
      {turned && (
        <Select
          label="Angle"
          value={turned.angle}
          options={[
            { value: 'degrees', label: 'Degrees, clockwise' },
            { value: 'radians', label: 'Radians, clockwise' },
          ]}
          onChange={(angle) =>
            setDraft({
              ...draft,
              geometry: draft.geometry.map((one) => (one === turned ? { ...turned, angle } : one)),
            })
          }
        />
      )}
      {draft.geometry.length > 0 && (
        <Select
          label="Unit"
          value={draft.unit}
          options={boxUnits.map((unit) => ({ value: unit, label: unitLabels[unit] }))}
          onChange={(unit) => setDraft({ ...draft, unit })}
        />
      )}
      {draft.many !== 'picture' && (
        <>
          <TextField
            label="Where the class stands"
            value={draft.label ?? ''}
            onChange={(label) => setDraft({ ...draft, label: label || null })}
          />
          <TextField
            label="Where the score stands"
            value={draft.score ?? ''}
            onChange={(score) => setDraft({ ...draft, score: score || null })}
          />
        </>
      )}
      {keypoints && (
        <>
          <TextArea
            label="Names of keypoints, one a line; after a colon the points that it is joined to"
            value={points}
            onChange={setPoints}
            placeholder={'nose\nleft_eye: nose\nright_eye: nose, left_eye'}
            rows={5}
          />
          <p className={unknown.length > 0 ? styles.warn : styles.note}>
            {unknown.length > 0
              ? `No line begins with ${unknown.join(', ')}.`
              : 'Without names, 17 points are read as COCO’s persons.'}
          </p>
        </>
      )}
      <TextArea
        label="Names of classes that are numbers, one a line from 0"
        value={classes}
        onChange={setClasses}
        rows={4}
      />
      <ErrorNote error={error} title="It was not saved." />
      <div className={styles.buttons}>
        {isStored ? (
          <Button size="s" onClick={() => void save(null, `${layout.column} is guessed again`)}>
            Guess again
          </Button>
        ) : (
          <Button size="s" onClick={() => void save({ off: true }, `${layout.column} is not drawn any more`)}>
            No annotations
          </Button>
        )}
        <Button size="s" look="primary" type="submit" isBusy={isBusy}>
          Save
        </Button>
      </div>
    </form>
  );
}

/** Keypoints with their names and lines said, or without where nothing is said. */
function withSkeleton(
  { names: _names, lines: _lines, ...plain }: Extract<GeometryLayout, { kind: 'keypoints' }>,
  { names, lines }: Skeleton,
): GeometryLayout {
  if (names.length === 0) return plain;
  return {
    ...plain,
    names: [...names],
    ...(lines.length > 0 ? { lines: lines.map(([from, to]): [number, number] => [from, to]) } : {}),
  };
}
