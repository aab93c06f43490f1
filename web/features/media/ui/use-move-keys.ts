import {
  dragHandle,
  growShapes,
  handlesOf,
  moveShapes,
  turnShapes,
} from '#shared/domain/annotations/reshape.ts';
import type { Point, Shape } from '#shared/domain/annotations/shape.ts';
import { type Command, useCommands } from '../../../state/commands.ts';
import type { AnnotationId } from './annotation-layer.tsx';
import type { EditorState } from './use-edit-keys.ts';

const far = 10;
const arrows: [key: string, x: number, y: number][] = [
  ['ArrowLeft', -1, 0],
  ['ArrowRight', 1, 0],
  ['ArrowUp', 0, -1],
  ['ArrowDown', 0, 1],
];

/** Why nothing is moved. */
export const noneInHand = 'Select an annotation while editing';

/** Moving, resizing and turning of what is selected, by keys. */
export function useMoveKeys(
  editor: EditorState,
  reshape: (id: AnnotationId, shapes: readonly Shape[], verb: string) => void,
): void {
  const { isEditing, current, selected, size, handle, film } = editor;
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
  const group = 'Annotations';
  const noHand = () => (isEditing && current ? null : noneInHand);
  const commands: Command[] = [
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
  ];
  useCommands(commands);
}
