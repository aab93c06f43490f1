import type { AnnotationLayout } from '#shared/domain/annotations/layout.ts';
import {
  dragHandle,
  growShapes,
  handlesOf,
  moveShapes,
  removeVertex,
  turnShapes,
} from '#shared/domain/annotations/reshape.ts';
import type { Annotation, Point, Shape, Size } from '#shared/domain/annotations/shape.ts';
import { type Command, useCommands } from '../../../state/commands.ts';
import type { AnnotationSet } from '../model/annotation-sets.ts';
import { placeView, type Stage, toPicture, type View } from '../model/viewport.ts';
import type { AnnotationId } from './annotation-layer.tsx';
import type { AnnotationEditing } from './use-annotation-editing.ts';
import type { FilmFrames } from './use-film-frames.ts';
import { type FrameTools, useFrameKeys } from './use-frame-keys.ts';
import { type MaskTools, useMaskTools } from './use-mask-tools.ts';
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
}

const paintTools: DrawKind[] = ['brush', 'eraser', 'fill'];

/** What can be drawn in a set: outlines are drawn or painted as those are that it has. */
export function drawKinds(
  layout: AnnotationLayout | undefined,
  { annotations, isMaskColumn }: { annotations: readonly Annotation[]; isMaskColumn: boolean },
): DrawKind[] {
  if (!layout) return [];
  if (layout.many === 'picture') return paintTools;
  const has = (kind: Shape['kind']) =>
    annotations.some(({ shapes }) => shapes.some((one) => one.kind === kind));
  const [hasMasks, hasPolygons] = [has('mask'), has('polygon')];
  const outlines: DrawKind[] = [
    ...(hasMasks || (isMaskColumn && !hasPolygons) ? paintTools : []),
    ...(hasPolygons || !(hasMasks || isMaskColumn) ? (['polygon'] as const) : []),
  ];
  return layout.geometry.flatMap((one): DrawKind[] =>
    one.kind === 'box' || one.kind === 'rotated'
      ? [one.kind]
      : one.kind === 'outline'
        ? outlines
        : ['points'],
  );
}

const far = 10;
const arrows: [key: string, x: number, y: number][] = [
  ['ArrowLeft', -1, 0],
  ['ArrowRight', 1, 0],
  ['ArrowUp', 0, -1],
  ['ArrowDown', 0, 1],
];

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
  const lastLabel =
    current?.label ?? editor.sets.find(({ layout: of }) => of === layout)?.annotations.at(-1)?.label ?? null;
  const addShape = (shape: Shape, next: DrawKind | null = null) => {
    if (!layout) return;
    const count = editor.sets.find(({ name }) => name === layout.column)?.annotations.length ?? 0;
    const index = layout.many === 'one' || layout.many === 'row' ? 0 : count;
    changes.change(
      layout,
      { kind: 'add', shapes: [shape], label: lastLabel, time: film?.timeFor(layout) },
      `Added ${lastLabel ?? 'an annotation'} to ${layout.column}`,
    );
    editor.setSelected({ set: layout.column, index });
    editor.setDrawing(next);
  };
  const relabel = (label: string | null) => {
    const of = selected && layoutOf(selected.set);
    if (selected && of)
      changes.change(
        of,
        { kind: 'relabel', index: selected.index, label },
        `Named ${callIt(current)} ${label ?? 'nothing'} in ${selected.set}`,
      );
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
  const nudge = (by: Point) => {
    if (!current || !selected || !size) return;
    const placed = handle === null ? undefined : handlesOf(current.shapes, 24)[handle];
    if (placed)
      reshape(
        selected,
        dragHandle(current.shapes, {
          handle: placed.handle,
          to: { x: placed.x + by.x, y: placed.y + by.y },
          size,
        }),
        placed.handle.kind === 'edge' ? 'Resized' : 'Reshaped',
      );
    else reshape(selected, moveShapes(current.shapes, by, size), 'Moved');
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
  const noHand = () => (isEditing && current ? null : 'Select an annotation while editing');
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
    ...arrows.flatMap(([key, x, y]): Command[] => [
      {
        id: `annotate.move${key}`,
        title: 'Move what is selected by a pixel (Shift: ten)',
        group,
        keys: [key],
        isHidden: true,
        isUnlisted: key !== 'ArrowLeft',
        whyNot: noHand,
        run: () => nudge({ x, y }),
      },
      {
        id: `annotate.moveFar${key}`,
        title: 'Move what is selected by ten pixels',
        group,
        keys: [`Shift+${key}`],
        isHidden: true,
        isUnlisted: true,
        whyNot: noHand,
        run: () => nudge({ x: x * far, y: y * far }),
      },
      {
        id: `annotate.grow${key}`,
        title: 'Make it wider, narrower, taller or lower',
        group,
        keys: [`Alt+${key}`],
        isHidden: true,
        isUnlisted: key !== 'ArrowRight',
        whyNot: noHand,
        run: () => {
          if (current && selected && size)
            reshape(selected, growShapes(current.shapes, { x, y }, size), 'Resized');
        },
      },
    ]),
    {
      id: 'annotate.handle',
      title: 'Next corner or point, for the arrow keys',
      group,
      keys: ['v'],
      isHidden: true,
      whyNot: noHand,
      run: () => {
        const count = current ? handlesOf(current.shapes, 24).length : 0;
        editor.setHandle(count === 0 ? null : handle === null ? 0 : handle + 1 < count ? handle + 1 : null);
      },
    },
    {
      id: 'annotate.turnRight',
      title: 'Turn it clockwise',
      group,
      keys: [film ? '>' : '.'],
      isHidden: true,
      whyNot: () =>
        noHand() ?? (current?.shapes.some(({ kind }) => kind === 'rotated') ? null : 'It cannot be turned'),
      run: () => current && selected && reshape(selected, turnShapes(current.shapes, 1), 'Turned'),
    },
    {
      id: 'annotate.turnLeft',
      title: 'Turn it the other way',
      group,
      keys: [film ? '<' : ','],
      isHidden: true,
      whyNot: () =>
        noHand() ?? (current?.shapes.some(({ kind }) => kind === 'rotated') ? null : 'It cannot be turned'),
      run: () => current && selected && reshape(selected, turnShapes(current.shapes, -1), 'Turned'),
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
  useCommands(commands);
  return { setEditing, reshape, addShape, relabel, remove, save, kinds, points, masks, frames };
}
