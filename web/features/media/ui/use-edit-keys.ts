import { useState } from 'react';
import type { AnnotationLayout } from '#shared/domain/annotations/layout.ts';
import { handlesOf, moveShapes, removeVertex } from '#shared/domain/annotations/reshape.ts';
import type { Annotation, Shape, Size } from '#shared/domain/annotations/shape.ts';
import { type Command, useCommands } from '../../../state/commands.ts';
import type { AnnotationSet } from '../model/annotation-sets.ts';
import { classList } from '../model/class-list.ts';
import { placeView, type Stage, toPicture, type View } from '../model/viewport.ts';
import type { AnnotationId } from './annotation-layer.tsx';
import { drawKinds, isOutlined } from './draw-kinds.ts';
import type { AnnotationEditing } from './use-annotation-editing.ts';
import { type ClassTools, useClassKeys } from './use-class-keys.ts';
import type { FilmFrames } from './use-film-frames.ts';
import { type FrameTools, useFrameKeys } from './use-frame-keys.ts';
import { type MaskTools, useMaskTools } from './use-mask-tools.ts';
import { noneInHand, useMoveKeys } from './use-move-keys.ts';
import type { PictureMask } from './use-picture-masks.ts';
import { type PointTools, usePointTools } from './use-point-tools.ts';
import { type DrawKind, isPaintKind } from './use-shape-tool.ts';

export interface EditorState {
  isEditing: boolean;
  setEditing: (isEditing: boolean) => void;
  size: Size | null;
  current: Annotation | undefined;
  selected: AnnotationId | null;
  setSelected: (id: AnnotationId | null) => void;
  handle: number | null;
  setHandle: (at: number | null) => void;
  /** The keypoint that was asked for, to be placed next. */
  point: number | null;
  setPoint: (at: number | null) => void;
  drawing: DrawKind | null;
  setDrawing: (kind: DrawKind | null) => void;
  /** Of the selected set, else of the first. */
  layout: AnnotationLayout | undefined;
  /** The layout’s outlines are masks where nothing says so yet. */
  isMaskColumn: boolean;
  masks: readonly PictureMask[];
  changes: AnnotationEditing;
  sets: readonly AnnotationSet[];
  /** Classes that other rows have. */
  known: readonly string[];
  /** Shows a class and a set that may be hidden. */
  reveal: (set: string, label: string | null) => void;
  /** What is seen of them. */
  shown: readonly AnnotationSet[];
  /** The frames of a video. */
  film: FilmFrames | null;
  view: View;
  on: Stage;
}

export interface EditTools {
  setEditing: (isEditing: boolean) => void;
  reshape: (id: AnnotationId, shapes: readonly Shape[], verb: string) => void;
  addShape: (shape: Shape) => void;
  relabel: (label: string | null) => void;
  remove: () => void;
  save: () => void;
  /** The kinds that the layout can hold. */
  kinds: DrawKind[];
  points: PointTools;
  masks: MaskTools;
  /** Null where there is no video. */
  frames: FrameTools | null;
  classes: ClassTools;
  /** Drawing goes on after each shape. */
  isMany: boolean;
}

/** What the selected annotation is called in the history. */
const callIt = (one: Annotation | undefined): string => one?.label ?? 'an annotation';

/** Editing of annotations by keys, and the same moves for pointer and buttons. */
export function useEditKeys(editor: EditorState): EditTools {
  const { isEditing, size, current, selected, handle, layout, changes, drawing, film } = editor;
  const layoutOf = (set: string) => editor.sets.find(({ name }) => name === set)?.layout;
  const reshape = (id: AnnotationId, shapes: readonly Shape[], verb: string) => {
    const of = layoutOf(id.set);
    const one = editor.sets
      .find(({ name }) => name === id.set)
      ?.annotations.find(({ index }) => index === id.index);
    if (of)
      changes.change(of, { kind: 'reshape', index: id.index, shapes }, `${verb} ${callIt(one)} in ${id.set}`);
  };
  const [wanted, setWanted] = useState<string | null>(null);
  const [isMany, setMany] = useState(false);
  const lastLabel =
    wanted ??
    current?.label ??
    editor.sets.find(({ layout: of }) => of === layout)?.annotations.at(-1)?.label ??
    null;
  const addShapes = (shapes: readonly Shape[], next: DrawKind | null = isMany ? drawing : null) => {
    if (!layout) return;
    film?.pause();
    editor.reveal(layout.column, lastLabel);
    const count = editor.sets.find(({ name }) => name === layout.column)?.annotations.length ?? 0;
    const index = layout.many === 'one' || layout.many === 'row' ? 0 : count;
    changes.change(
      layout,
      { kind: 'add', shapes, label: lastLabel, time: film?.timeFor(layout) },
      `Added ${lastLabel ?? 'an annotation'} to ${layout.column}`,
    );
    editor.setSelected({ set: layout.column, index });
    editor.setHandle(null);
    editor.setDrawing(next);
  };
  const addShape = (shape: Shape, next?: DrawKind | null) => addShapes([shape], next);
  const duplicate = () => {
    if (current && size)
      addShapes(moveShapes(current.shapes, { x: size.width / 50, y: size.height / 50 }, size), null);
  };
  const relabel = (label: string | null) => {
    const of = selected && layoutOf(selected.set);
    setWanted(label);
    if (selected && of && current) {
      editor.reveal(selected.set, label);
      changes.change(
        of,
        { kind: 'relabel', index: selected.index, label },
        `Named ${callIt(current)} ${label ?? 'nothing'} in ${selected.set}`,
      );
    }
  };
  const remove = () => {
    const of = selected && layoutOf(selected.set);
    if (!selected || !of || !current || !size) return;
    if (handle !== null) {
      const placed = handlesOf(current.shapes, 24)[handle];
      const shapes = placed && removeVertex(current.shapes, placed.handle);
      if (shapes) {
        reshape(selected, shapes, 'Reshaped');
        editor.setHandle(null);
        return;
      }
    }
    changes.change(
      of,
      { kind: 'remove', indexes: [selected.index] },
      `Removed ${callIt(current)} from ${selected.set}`,
    );
    editor.setSelected(null);
    editor.setHandle(null);
  };
  const own = editor.sets.find(({ layout: of }) => of === layout)?.annotations ?? [];
  const isElsewhere =
    film !== null &&
    (layout?.many === 'one' || layout?.many === 'row') &&
    own.length > 0 &&
    editor.shown.every((set) => set.layout !== layout || set.annotations.length === 0);
  const kinds = isElsewhere ? [] : drawKinds(layout, { annotations: own, isMaskColumn: editor.isMaskColumn });
  const masks = useMaskTools(editor, {
    reshape,
    addMask: (shape) => addShape(shape, 'brush'),
    kinds,
  });
  const points = usePointTools(editor, {
    reshape,
    addPoints: (shape) => addShape(shape, shape.points.length > 1 || shape.tells ? 'points' : null),
  });
  const placeInMiddle = () => {
    const { picture, stage } = editor.on;
    const at = toPicture(placeView(editor.view, picture, stage), { x: stage.width / 2, y: stage.height / 2 });
    const width = Math.max(2, picture.width / editor.view.zoom / 4);
    const height = Math.max(2, picture.height / editor.view.zoom / 4);
    if (drawing === 'points') {
      points.place(at);
      return;
    }
    if (drawing && isPaintKind(drawing)) {
      masks.paint(drawing, [at], false);
      return;
    }
    const [x, y] = [at.x - width / 2, at.y - height / 2];
    if (drawing === 'rotated') addShape({ kind: 'rotated', cx: at.x, cy: at.y, width, height, angle: 0 });
    else if (drawing === 'polygon')
      addShape({
        kind: 'polygon',
        rings: [
          [
            { x, y },
            { x: x + width, y },
            { x: x + width, y: y + height },
            { x, y: y + height },
          ],
        ],
      });
    else addShape({ kind: 'box', x, y, width, height });
  };
  const setEditing = (next: boolean) => {
    if (next) {
      film?.pause();
      editor.setEditing(true);
      return;
    }
    void changes.save().then((isDone) => {
      if (!isDone) return;
      editor.setEditing(false);
      editor.setDrawing(null);
      editor.setHandle(null);
    });
  };
  const save = () => void changes.save();
  const group = 'Annotations';
  const noHand = () => (isEditing && current ? null : noneInHand);
  const whenEditing = () => (isEditing ? null : 'Press e to edit');
  const commands: Command[] = [
    {
      id: 'annotate.edit',
      title: isEditing ? 'End editing, and save' : 'Edit the annotations',
      group,
      keys: ['e'],
      whyNot: () => (layout && size ? null : 'There is nothing to edit'),
      run: () => setEditing(!isEditing),
    },
    {
      id: 'annotate.draw',
      title: 'Draw one more (Enter puts it in the middle)',
      group,
      keys: ['a'],
      whyNot: () =>
        whenEditing() ??
        (kinds.length === 0
          ? isElsewhere
            ? 'This column holds one annotation per row, and it is on another frame'
            : 'Nothing can be drawn here'
          : kinds.join() === 'points'
            ? points.whyNotNew
            : null),
      run: () => {
        setMany(false);
        const choices: DrawKind[] = kinds.filter((kind) => kind !== 'eraser' && kind !== 'fill');
        const at = drawing ? choices.indexOf(drawing) : -1;
        const next = choices[at + 1] ?? null;
        if (next === 'points' || next === 'brush') {
          editor.setSelected(null);
          editor.setHandle(null);
        }
        editor.setDrawing(next);
      },
    },
    {
      id: 'annotate.drawMany',
      title: 'Draw one after the other, until Escape',
      group,
      keys: ['Shift+A'],
      whyNot: () =>
        whenEditing() ?? (kinds.some(isOutlined) ? null : 'Nothing can be drawn one after the other'),
      run: () => {
        setMany(!isMany || drawing === null);
        editor.setDrawing(
          isMany && drawing
            ? null
            : drawing && isOutlined(drawing)
              ? drawing
              : (kinds.find(isOutlined) ?? null),
        );
      },
    },
    {
      id: 'annotate.duplicate',
      title: 'The same once more, beside it',
      group,
      keys: ['d'],
      isHidden: true,
      whyNot: () =>
        noHand() ??
        (layout?.many === 'one' || layout?.many === 'row'
          ? 'This column holds one annotation per row'
          : current?.shapes.some(({ kind }) => kind === 'mask')
            ? 'Masks stay where they are'
            : null),
      run: duplicate,
    },
    {
      id: 'annotate.place',
      title: 'Put it in the middle',
      group,
      keys: ['Enter'],
      isHidden: true,
      isUnlisted: true,
      whyNot: () => (isEditing && drawing ? null : 'Nothing is being drawn'),
      run: placeInMiddle,
    },
    {
      id: 'annotate.remove',
      title: 'Remove what is selected',
      group,
      keys: ['Delete', 'Backspace'],
      isHidden: true,
      whyNot: noHand,
      run: remove,
    },
    {
      id: 'annotate.save',
      title: 'Save the changes as one edit',
      group,
      keys: ['Mod+S'],
      whyNot: () => (changes.isDirty ? null : 'Nothing is changed'),
      run: save,
    },
    {
      id: 'annotate.undo',
      title: 'Undo in the annotations',
      group,
      keys: ['Mod+Z'],
      isHidden: true,
      whyNot: () => (isEditing && changes.draft.done.length > 0 ? null : 'Nothing is changed'),
      run: changes.undo,
    },
    {
      id: 'annotate.redo',
      title: 'Redo in the annotations',
      group,
      keys: ['Mod+Shift+Z'],
      isHidden: true,
      whyNot: () => (isEditing && changes.draft.undone.length > 0 ? null : 'Nothing is undone'),
      run: changes.redo,
    },
  ];
  const frames = useFrameKeys(film, editor);
  const isPainted = layout?.many === 'picture';
  const classes = useClassKeys({
    all: isPainted
      ? masks.classes
      : classList(
          editor.known,
          editor.sets.filter(({ layout: of }) => of === layout),
        ),
    value: isPainted ? masks.paintClass : current ? current.label : lastLabel,
    whyNot:
      whenEditing() ??
      (layout?.label || (isPainted && masks.whyNot === null) ? null : 'There are no classes here'),
    choose: isPainted ? masks.setPaintClass : relabel,
  });
  useMoveKeys(editor, reshape);
  useCommands(commands);
  return {
    setEditing,
    reshape,
    addShape,
    relabel,
    remove,
    save,
    kinds,
    points,
    masks,
    frames,
    classes,
    isMany,
  };
}
