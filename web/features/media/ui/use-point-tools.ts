import { handlesOf, nextUnplaced, placeKeypoint, toggleHidden } from '#shared/domain/annotations/reshape.ts';
import type { Annotation, KeypointsShape, Point, Shape } from '#shared/domain/annotations/shape.ts';
import { pointName, type Skeleton, skeletonOf } from '#shared/domain/annotations/skeleton.ts';
import { type Command, useCommands } from '../../../state/commands.ts';
import type { AnnotationId } from './annotation-layer.tsx';
import type { EditorState } from './use-edit-keys.ts';

export interface PointTools {
  shape: KeypointsShape | undefined;
  skeleton: Skeleton | null;
  /** The point that the next click places; null where there is none. */
  next: number | null;
  nextName: string;
  /** The point that keys move. */
  chosen: number | null;
  /** Why no further annotation of points can be begun; null where one can. */
  whyNotNew: string | null;
  begin: () => void;
  place: (at: Point) => void;
  choose: (point: number) => void;
  toggle: (point: number) => void;
}

export const keypointsOf = (one: Annotation | undefined): KeypointsShape | undefined =>
  one?.shapes.find((shape) => shape.kind === 'keypoints');

/** Which handle a keypoint is; null where it is not placed. */
function handleOfPoint(shapes: readonly Shape[], point: number): number | null {
  const at = handlesOf(shapes, 24).findIndex(
    ({ handle }) =>
      handle.kind === 'vertex' && handle.point === point && shapes[handle.shape]?.kind === 'keypoints',
  );
  return at < 0 ? null : at;
}

export interface PointActions {
  reshape: (id: AnnotationId, shapes: readonly Shape[], verb: string) => void;
  /** Adds an annotation and selects it, the drawing going on. */
  addPoints: (shape: KeypointsShape) => void;
}

/** Placing of keypoints one after the other, and whether they are seen or hidden. */
export function usePointTools(editor: EditorState, { reshape, addPoints }: PointActions): PointTools {
  const { current, selected, size, handle, layout, isEditing, drawing } = editor;
  const shape = keypointsOf(current);
  const geometry = layout?.geometry.find((one) => one.kind === 'keypoints');
  const others = editor.sets
    .find(({ layout: of }) => of === layout)
    ?.annotations.flatMap((one) => keypointsOf(one) ?? []);
  const like = others?.reduce<KeypointsShape | undefined>(
    (most, one) => (most && most.points.length >= one.points.length ? most : one),
    undefined,
  );
  const count = geometry?.names?.length ?? like?.points.length ?? 0;
  const skeleton = skeletonOf(geometry, shape?.points.length ?? count);
  const unplaced = current && shape ? nextUnplaced(current.shapes) : null;
  const asked = editor.point;
  const next = shape
    ? asked !== null && shape.points[asked]?.visibility === 0
      ? asked
      : unplaced
    : count > 0
      ? 0
      : null;
  const held = current && handle !== null ? handlesOf(current.shapes, 24)[handle]?.handle : undefined;
  const chosen =
    held?.kind === 'vertex' && current?.shapes[held.shape]?.kind === 'keypoints' ? held.point : null;
  const nextName = pointName(skeleton, next ?? 0);
  const place = (at: Point) => {
    if (!size || next === null) return;
    if (!current || !selected || !shape) {
      const points = Array.from({ length: like?.tells === 'none' ? 0 : count }, () => ({
        x: 0,
        y: 0,
        visibility: 0,
      }));
      const fresh: KeypointsShape = {
        kind: 'keypoints',
        points,
        ...(like?.tells ? { tells: like.tells } : {}),
      };
      const [made] = placeKeypoint([fresh], { point: 0, at, size });
      if (made?.kind === 'keypoints') addPoints(made);
      editor.setHandle(0);
      return;
    }
    const shapes = placeKeypoint(current.shapes, { point: next, at, size });
    reshape(selected, shapes, `Placed ${nextName} of`);
    editor.setPoint(null);
    editor.setHandle(handleOfPoint(shapes, next));
    if (nextUnplaced(shapes) === null) editor.setDrawing(null);
  };
  const choose = (point: number) => {
    if (!current || !shape || !isEditing) return;
    if ((shape.points[point]?.visibility ?? 0) > 0) {
      editor.setHandle(handleOfPoint(current.shapes, point));
      return;
    }
    editor.setPoint(point);
    editor.setHandle(null);
    editor.setDrawing('points');
  };
  const toggle = (point: number) => {
    const shapes = current && toggleHidden(current.shapes, point);
    if (!shapes || !selected) return;
    const isHidden = keypointsOf({ ...current, shapes })?.points[point]?.visibility === 1;
    reshape(selected, shapes, `${isHidden ? 'Hid' : 'Showed'} ${pointName(skeleton, point)} of`);
  };
  const whyNotNew =
    count > 0 ? null : 'Say what the points are first: “How it is read” in the panel of annotations';
  const begin = () => {
    editor.setPoint(null);
    editor.setHandle(null);
    if (!shape || unplaced === null) editor.setSelected(null);
    editor.setDrawing('points');
  };
  const group = 'Annotations';
  const commands: Command[] = [
    {
      id: 'annotate.point',
      title: 'Place the next keypoint (Enter puts it in the middle)',
      group,
      keys: ['p'],
      isHidden: true,
      whyNot: () =>
        !isEditing || !shape
          ? 'Select keypoints while editing'
          : unplaced === null
            ? 'All points are placed'
            : null,
      run: () => editor.setDrawing(drawing === 'points' ? null : 'points'),
    },
    {
      id: 'annotate.hide',
      title: 'Keypoint hidden, or seen again',
      group,
      keys: ['h'],
      isHidden: true,
      whyNot: () =>
        !isEditing || chosen === null
          ? 'Choose a keypoint with v while editing'
          : shape?.tells
            ? 'This way of writing points knows nothing hidden'
            : null,
      run: () => chosen !== null && toggle(chosen),
    },
  ];
  useCommands(commands);
  return { shape, skeleton, next, nextName, chosen, whyNotNew, begin, place, choose, toggle };
}
