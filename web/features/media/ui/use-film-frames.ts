import { useMemo, useRef, useState } from 'react';
import type { AnnotationLayout } from '#shared/domain/annotations/layout.ts';
import { type AnnotationFilter, type AnnotationSet, filterSets } from '../model/annotation-sets.ts';
import {
  annotatedFrames,
  type FramedSet,
  frameSets,
  nextAnnotated,
  setsAtFrame,
  timeField,
  timeForFrame,
} from '../model/frame-sets.ts';
import { assumedFrames, timeOfFrame } from '../model/frames.ts';
import { useFrameTimes } from './use-frame-times.ts';
import type { Player } from './use-player.ts';

export interface FilmFrames {
  /** The frame that is shown, from 0. */
  frame: number;
  setFrame: (frame: number | null) => void;
  /** Frames that the video has; null where that is not known. */
  total: number | null;
  /** All sets by their frames. */
  framed: readonly FramedSet[];
  /** What passes the filter, of the frame that is shown. */
  shown: AnnotationSet[];
  /** Everything of the frame that is shown. */
  unfiltered: AnnotationSet[];
  /** Frames with something that passes the filter, sorted. */
  annotated: readonly number[];
  next: (by: 1 | -1) => number | null;
  go: (frame: number) => void;
  pause: () => void;
  onPlayer: (player: Player | null) => void;
  /** The time that a new annotation gets; undefined where the layout has no times. */
  timeFor: (layout: AnnotationLayout) => number | undefined;
}

const noSets: readonly AnnotationSet[] = [];
const noFrames: readonly number[] = [];

/** The frames of the video on the stage with what is annotated on them; null where there is no video. */
export function useFilmFrames({
  src,
  sets,
  look,
  isEditing,
}: {
  /** Of the video; null where there is none. */
  src: string | null;
  sets: readonly AnnotationSet[];
  look: AnnotationFilter & { hasAnnotations: boolean };
  isEditing: boolean;
}): FilmFrames | null {
  const { data: frames = assumedFrames } = useFrameTimes(src);
  const [found, setFrame] = useState<number | null>(null);
  const player = useRef<Player | null>(null);
  const isFilm = src !== null;
  const own = isFilm ? sets : noSets;
  const { hasAnnotations, hiddenSets, hiddenClasses, minScore } = look;
  const framed = useMemo(() => frameSets(own, frames), [own, frames]);
  const filtered = useMemo(
    () =>
      frameSets(hasAnnotations ? filterSets(own, { hiddenSets, hiddenClasses, minScore }) : noSets, frames),
    [own, frames, hasAnnotations, hiddenSets, hiddenClasses, minScore],
  );
  const annotated = useMemo(() => (isFilm ? annotatedFrames(filtered) : noFrames), [isFilm, filtered]);
  const frame = found ?? 0;
  const shown = useMemo(
    () => setsAtFrame(filtered, frame, { isExact: isEditing }),
    [filtered, frame, isEditing],
  );
  const unfiltered = useMemo(
    () => setsAtFrame(framed, frame, { isExact: isEditing }),
    [framed, frame, isEditing],
  );
  if (!isFilm) return null;
  return {
    frame,
    setFrame,
    total: frames.starts?.length ?? null,
    framed,
    shown,
    unfiltered,
    annotated,
    next: (by) => nextAnnotated(annotated, frame, by),
    go: (to) => {
      player.current?.pause();
      player.current?.seek(timeOfFrame(frames, to));
    },
    pause: () => player.current?.pause(),
    onPlayer: (now) => {
      player.current = now;
    },
    timeFor: (layout) => {
      const field = timeField(layout);
      return field === null ? undefined : timeForFrame(frames, field, frame);
    },
  };
}
