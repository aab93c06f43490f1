import {
  Bone,
  Brush,
  CopyPlus,
  Eraser,
  PaintBucket,
  Pentagon,
  RectangleHorizontal,
  Redo2,
  RotateCw,
  Trash2,
  Undo2,
} from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import type { AnnotationLayout } from '#shared/domain/annotations/layout.ts';
import type { Annotation } from '#shared/domain/annotations/shape.ts';
import { formatOf } from '../../../ui/format-quantity.ts';
import { Button, Combobox, cx, IconButton, Select } from '../../../ui/index.ts';
import { MaskBar } from './mask-bar.tsx';
import type { AnnotationEditing } from './use-annotation-editing.ts';
import type { EditTools } from './use-edit-keys.ts';
import { type DrawKind, isPaintKind } from './use-shape-tool.ts';
import styles from './viewer.module.css';

export interface EditBarProps {
  tools: EditTools;
  changes: AnnotationEditing;
  current: Annotation | undefined;
  layout: AnnotationLayout | undefined;
  drawing: DrawKind | null;
  setDrawing: (kind: DrawKind | null) => void;
  /** The sets of the picture; with more than one it is chosen which is edited. */
  layouts: readonly AnnotationLayout[];
  onLayout: (column: string) => void;
  isBusy: boolean;
}

const icons: Record<DrawKind, { label: string; keys: string; icon: ReactNode }> = {
  box: { label: 'Draw a box', keys: 'a', icon: <RectangleHorizontal /> },
  rotated: { label: 'Draw a box that can be turned', keys: 'a', icon: <RotateCw /> },
  polygon: { label: 'Draw an outline', keys: 'a', icon: <Pentagon /> },
  points: { label: 'Place keypoints', keys: 'a', icon: <Bone /> },
  brush: { label: 'Paint the mask', keys: 'b', icon: <Brush /> },
  eraser: { label: 'Erase from the mask', keys: 'x', icon: <Eraser /> },
  fill: { label: 'Fill an area (Shift clears it)', keys: 'w', icon: <PaintBucket /> },
};

/** What can be done while annotations are edited: draw, name, remove, undo, save. */
export function EditBar(props: EditBarProps) {
  const { tools, changes, current, layout, layouts, drawing, setDrawing, isBusy } = props;
  const { masks } = tools;
  const { classes } = tools;
  const bar = useRef<HTMLDivElement>(null);
  const count = changes.draft.done.length;
  return (
    <div
      ref={bar}
      className={cx(styles.editBar, tools.frames && styles.overPlayer)}
      role="toolbar"
      aria-label="Edit annotations"
    >
      {layouts.length > 1 && layout && (
        <Select
          label="Edited set"
          isQuiet
          value={layout.column}
          options={layouts.map(({ column }) => ({ value: column, label: column }))}
          onChange={props.onLayout}
        />
      )}
      {tools.kinds.map((kind) => (
        <IconButton
          key={kind}
          label={icons[kind].label}
          keys={icons[kind].keys}
          size="s"
          icon={icons[kind].icon}
          isPressed={drawing === kind}
          isDisabled={
            (kind === 'points' && !current && tools.points.whyNotNew !== null) ||
            (isPaintKind(kind) && masks.whyNot !== null)
          }
          onClick={() => {
            if (drawing === kind) setDrawing(null);
            else if (kind === 'points') tools.points.begin();
            else setDrawing(kind);
          }}
        />
      ))}
      {tools.frames && (
        <IconButton
          label={tools.frames.whyNotRepeat ?? 'Repeat the annotated frame before here'}
          keys="r"
          size="s"
          icon={<CopyPlus />}
          isDisabled={tools.frames.whyNotRepeat !== null}
          onClick={tools.frames.repeat}
        />
      )}
      {tools.kinds.some(isPaintKind) && <MaskBar masks={masks} layout={layout} drawing={drawing} />}
      {layout?.label && (
        <Combobox
          label="Class"
          value={classes.value ?? undefined}
          placeholder="No class"
          isOpen={classes.isOpen}
          onOpenChange={(isOpen) => {
            classes.setOpen(isOpen);
            if (!isOpen) requestAnimationFrame(() => bar.current?.closest('section')?.focus());
          }}
          options={classes.all.map((label, at) => ({
            value: label,
            label,
            hint: at < 9 ? String(at + 1) : undefined,
          }))}
          onChange={(label) => tools.relabel(label)}
          onCreate={(label) => tools.relabel(label)}
          createLabel={(text) => `New class “${text}”`}
          searchPlaceholder="Find or name a class"
        >
          {current ? undefined : `Next: ${classes.value ?? 'no class'}`}
        </Combobox>
      )}
      <IconButton
        label="Remove what is selected"
        keys="Delete"
        size="s"
        icon={<Trash2 />}
        isDisabled={!current}
        onClick={tools.remove}
      />
      <IconButton
        label="Undo"
        keys="Mod+Z"
        size="s"
        icon={<Undo2 />}
        isDisabled={count === 0}
        onClick={changes.undo}
      />
      <IconButton
        label="Redo"
        keys="Mod+Shift+Z"
        size="s"
        icon={<Redo2 />}
        isDisabled={changes.draft.undone.length === 0}
        onClick={changes.redo}
      />
      <span className={styles.faint} role="status">
        {drawing === 'points' && tools.points.next !== null
          ? `Click where ${tools.points.nextName} is`
          : count === 0
            ? drawing
              ? drawing === 'fill'
                ? 'Click an area'
                : `${tools.isMany ? 'One after the other: drag' : 'Drag'}, or press Enter${tools.frames ? `: ${tools.frames.says}` : ''}`
              : 'Nothing changed'
            : formatOf(count, 'change')}
      </span>
      <Button size="s" isDisabled={!changes.isDirty} onClick={changes.discard}>
        Discard
      </Button>
      <Button
        size="s"
        look="primary"
        keys="Mod+S"
        isDisabled={!changes.isDirty}
        isBusy={isBusy}
        onClick={tools.save}
      >
        Save
      </Button>
    </div>
  );
}
