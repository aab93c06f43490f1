import { type Command, useCommands } from '../../../state/commands.ts';
import { frameUpTo } from '../model/frame-sets.ts';
import type { EditorState } from './use-edit-keys.ts';
import type { FilmFrames } from './use-film-frames.ts';

export interface FrameTools {
  /** Why the frame before cannot be repeated; null where it can. */
  whyNotRepeat: string | null;
  repeat: () => void;
  /** What a new annotation is given. */
  says: string;
}

/** Walking the annotated frames of a video, and carrying annotations on to another frame. */
export function useFrameKeys(film: FilmFrames | null, editor: EditorState): FrameTools | null {
  const { isEditing, layout, changes } = editor;
  const own = film?.framed.find(({ set }) => set.layout === layout);
  const before = film && own ? frameUpTo(own.frames, film.frame - 1) : null;
  const whyNotRepeat = !film
    ? 'There is no video'
    : !isEditing
      ? 'Press e to edit'
      : !layout?.time
        ? 'This set has no times'
        : layout.many === 'one' || layout.many === 'row'
          ? 'This column holds one annotation per row'
          : before === null
            ? 'No earlier frame is annotated'
            : null;
  const repeat = () => {
    const time = layout && film?.timeFor(layout);
    if (!film || !layout || !own || before === null || time === undefined) return;
    const indexes = (own.byFrame.get(before) ?? []).map(({ index }) => index);
    const [first] = indexes;
    film.pause();
    changes.change(
      layout,
      { kind: 'repeat', indexes, time },
      `Repeated frame ${before} on frame ${film.frame} in ${layout.column}`,
    );
    if (indexes.length === 1 && first !== undefined)
      editor.setSelected({ set: layout.column, index: own.set.annotations.length });
  };
  const group = 'Annotations';
  const walk = (id: string, title: string, keys: string[], by: 1 | -1): Command => ({
    id,
    title,
    group,
    keys,
    whyNot: () =>
      !film
        ? 'There is no video'
        : film.next(by) === null
          ? `No ${by > 0 ? 'later' : 'earlier'} frame is annotated`
          : null,
    run: () => {
      const to = film?.next(by);
      if (to !== null && to !== undefined) film?.go(to);
    },
  });
  const commands: Command[] = [
    walk('annotate.nextFrame', 'Next annotated frame', ['}', 'Shift+PageDown'], 1),
    walk('annotate.previousFrame', 'Previous annotated frame', ['{', 'Shift+PageUp'], -1),
    {
      id: 'annotate.repeat',
      title: 'Repeat the annotations of the annotated frame before on this frame',
      group,
      keys: ['r'],
      whyNot: () => whyNotRepeat,
      run: repeat,
    },
  ];
  useCommands(film ? commands : noCommands);
  if (!film) return null;
  return {
    whyNotRepeat,
    repeat,
    says: layout?.time ? `of frame ${film.frame}` : 'without a time, on every frame',
  };
}

const noCommands: Command[] = [];
