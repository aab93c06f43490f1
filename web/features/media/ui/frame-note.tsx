import { ChevronLeft, ChevronRight } from 'lucide-react';
import { formatCount, formatOf } from '../../../ui/format-quantity.ts';
import { cx, IconButton } from '../../../ui/index.ts';
import { type FramedSet, outsideOf, seenFrame } from '../model/frame-sets.ts';
import styles from './panel.module.css';
import type { FilmFrames } from './use-film-frames.ts';

/** Which frame the annotations in a video are of, and the way to the next that has some. */
export function FrameNote({ film, isEditing }: { film: FilmFrames; isEditing: boolean }) {
  const { frame, framed, annotated, total } = film;
  const sets = framed.filter(({ set }) => set.layout.many !== 'picture' && set.annotations.length > 0);
  if (sets.length === 0) return null;
  const hasTimes = annotated.length > 0;
  return (
    <section className={styles.section} aria-label="Frame">
      <header className={styles.head}>
        <h2>Frame {formatCount(frame)}</h2>
        {hasTimes && (
          <span className={cx(styles.count, styles.walk)}>
            {formatCount(annotated.length)}
            {total === null ? '' : ` of ${formatCount(total)}`} annotated
            <IconButton
              label="Previous annotated frame"
              keys="{"
              size="s"
              icon={<ChevronLeft />}
              isDisabled={film.next(-1) === null}
              onClick={() => film.go(film.next(-1) ?? frame)}
            />
            <IconButton
              label="Next annotated frame"
              keys="}"
              size="s"
              icon={<ChevronRight />}
              isDisabled={film.next(1) === null}
              onClick={() => film.go(film.next(1) ?? frame)}
            />
          </span>
        )}
      </header>
      {sets.map((one) => (
        <p key={one.set.name} className={styles.note}>
          {sets.length > 1 && <b>{one.set.name}: </b>}
          {explain(one, frame, isEditing)}
        </p>
      ))}
      {sets.map((one) => {
        const outside = total === null ? 0 : outsideOf(one, total);
        return (
          outside > 0 && (
            <p key={one.set.name} className={styles.warn}>
              {formatOf(outside, 'annotation')} of {one.set.name} {outside === 1 ? 'is' : 'are'} of frames
              that the video does not have.
            </p>
          )
        );
      })}
    </section>
  );
}

function explain(one: FramedSet, frame: number, isEditing: boolean): string {
  if (one.frames.length === 0) return 'No times are written: the same on every frame.';
  const from = seenFrame(one, frame, isEditing);
  const here =
    from === null
      ? 'None on this frame.'
      : from === frame
        ? 'Those of this frame.'
        : `Those of frame ${formatCount(from)}, held until the next, at most ${formatCount(one.hold)} frames.`;
  return one.always.length === 0
    ? here
    : `${here} ${formatOf(one.always.length, 'annotation')} without a time ${one.always.length === 1 ? 'is' : 'are'} on every frame.`;
}
