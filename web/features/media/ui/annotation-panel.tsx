import { Eye, EyeOff, Focus, Scissors } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { classColour } from '#shared/domain/annotations/class-colour.ts';
import { boundsOfAll } from '#shared/domain/annotations/measure.ts';
import type { Annotation } from '#shared/domain/annotations/shape.ts';
import { formatCount, formatOf } from '../../../ui/format-quantity.ts';
import { Button, Checkbox, cx, IconButton, Select, Slider } from '../../../ui/index.ts';
import { type AnnotationSet, filterSets, legendOf, scoreRange } from '../model/annotation-sets.ts';
import { type SetComparison, verdictKey, verdictSigns } from '../model/compare-sets.ts';
import type { MediaLook } from '../store.ts';
import { mostNames } from './annotation-canvas.tsx';
import { type AnnotationId, areNamesLeftAway, hiddenMasks } from './annotation-layer.tsx';
import styles from './panel.module.css';
import { ReadingButton, type ReadingButtonProps } from './reading-button.tsx';
import type { PictureMask } from './use-picture-masks.ts';

export interface AnnotationPanelProps {
  sets: readonly AnnotationSet[];
  masks: readonly PictureMask[];
  look: MediaLook;
  onLook: (patch: Partial<MediaLook>) => void;
  comparison: SetComparison | null;
  selected: AnnotationId | null;
  onSelect: (id: AnnotationId | null) => void;
  /** Null where nothing can be cut out. */
  onCrops: (() => void) | null;
  reading: Omit<ReadingButtonProps, 'layout'>;
}

/** What is drawn: sets, classes, scores, truth against prediction, and the annotations one by one. */
export function AnnotationPanel(props: AnnotationPanelProps) {
  const { sets, masks, look, onLook } = props;
  if (sets.length === 0 && masks.length === 0) return null;
  return (
    <>
      <SetList {...props} />
      <Legend sets={sets} masks={masks} look={look} onLook={onLook} />
      <ScoreFilter sets={sets} look={look} onLook={onLook} />
      {comparableSets(props).length > 1 && <Comparing {...props} />}
      <AnnotationList {...props} />
    </>
  );
}

const without = (list: readonly string[], name: string): string[] => list.filter((one) => one !== name);
const toggled = (list: readonly string[], name: string): string[] =>
  list.includes(name) ? without(list, name) : [...list, name];

/** All but pictures that have more values than a mask has. */
const comparableSets = ({ sets, masks }: Pick<AnnotationPanelProps, 'sets' | 'masks'>) =>
  sets.filter(({ name }) => !masks.some((mask) => mask.name === name && mask.isPlain));

function SetList({ sets, look, onLook, reading, onCrops }: AnnotationPanelProps) {
  const shown = filterSets(sets, look);
  const total = shown.reduce((sum, { annotations }) => sum + annotations.length, 0);
  return (
    <section className={styles.section} aria-label="Sets">
      <header className={styles.head}>
        <h2>Annotations</h2>
        {onCrops && (
          <Button
            size="s"
            look="quiet"
            icon={<Scissors />}
            onClick={onCrops}
            whyNot={total === 0 && 'Nothing is shown'}
          >
            Crops…
          </Button>
        )}
      </header>
      <ul>
        {sets.map((set) => {
          const isHidden = look.hiddenSets.includes(set.name);
          const count = shown.find(({ name }) => name === set.name)?.annotations.length ?? 0;
          const all = set.annotations.length;
          return (
            <li key={set.name} className={styles.row}>
              <IconButton
                label={isHidden ? `Show ${set.name}` : `Hide ${set.name}`}
                size="s"
                icon={isHidden ? <EyeOff /> : <Eye />}
                onClick={() => onLook({ hiddenSets: toggled(look.hiddenSets, set.name) })}
              />
              <span className={cx(styles.name, isHidden && styles.off)}>{set.name}</span>
              <span className={styles.count}>
                {set.layout.many === 'picture'
                  ? 'mask'
                  : isHidden || count === all
                    ? formatCount(all)
                    : `${count} of ${all}`}
              </span>
              <ReadingButton {...reading} layout={set.layout} />
            </li>
          );
        })}
      </ul>
      {sets.map(
        ({ name, faulty }) =>
          faulty > 0 && (
            <p key={name} className={styles.warn}>
              {formatOf(faulty, 'entry', 'entries')} of {name} cannot be drawn as it is read.
            </p>
          ),
      )}
      {areNamesLeftAway(shown) && look.hasNames && look.hasAnnotations && (
        <p className={styles.note}>Names are shown where at most {mostNames} things are in view: zoom in.</p>
      )}
      {hiddenMasks(shown) > 0 && (
        <p className={styles.warn}>
          {formatOf(hiddenMasks(shown), 'mask')} of them are not drawn. Filter by class or score.
        </p>
      )}
    </section>
  );
}

function Legend({
  sets,
  masks,
  look,
  onLook,
}: Pick<AnnotationPanelProps, 'sets' | 'masks' | 'look' | 'onLook'>) {
  const entries = legendOf(sets, look);
  const values = masks
    .filter(({ name }) => !look.hiddenSets.includes(name))
    .flatMap(({ name: set, classes }) => classes.map((one) => ({ ...one, set })));
  if (entries.length === 0 && values.length === 0) return null;
  const names = [...entries.map(({ label }) => label), ...values.map(({ label }) => label)];
  const hasHidden = names.some((name) => look.hiddenClasses.includes(name));
  const only = (label: string) =>
    names.length > 1 && (
      <IconButton
        label={`Only ${label || 'those without a class'}`}
        size="s"
        icon={<Focus />}
        className={styles.only}
        onClick={() =>
          onLook({
            hiddenClasses: [
              ...look.hiddenClasses.filter((one) => !names.includes(one)),
              ...names.filter((name) => name !== label),
            ],
          })
        }
      />
    );
  return (
    <section className={styles.section} aria-label="Classes">
      <header className={styles.head}>
        <h2>Classes</h2>
        <Button
          size="s"
          look="quiet"
          onClick={() =>
            onLook({
              hiddenClasses: hasHidden
                ? look.hiddenClasses.filter((one) => !names.includes(one))
                : [...look.hiddenClasses, ...names],
            })
          }
        >
          {hasHidden ? 'Show all' : 'Hide all'}
        </Button>
      </header>
      <ul className={styles.legend}>
        {entries.map(({ label, count, isShown }) => (
          <li key={label} className={styles.row}>
            <span className={styles.swatch} style={{ background: classColour(label || null) }} />
            <span className={styles.grow}>
              <Checkbox
                label={label || 'without a class'}
                isChecked={isShown}
                onChange={() => onLook({ hiddenClasses: toggled(look.hiddenClasses, label) })}
              />
            </span>
            {only(label)}
            <span className={styles.count}>{formatCount(count)}</span>
          </li>
        ))}
        {values.map(({ set, label, pixels }) => (
          <li key={`${set}/${label}`} className={styles.row}>
            <span className={styles.swatch} style={{ background: classColour(label) }} />
            <span className={styles.grow}>
              <Checkbox
                label={label}
                isChecked={!look.hiddenClasses.includes(label)}
                onChange={() => onLook({ hiddenClasses: toggled(look.hiddenClasses, label) })}
              />
            </span>
            {only(label)}
            <span className={styles.count}>{formatCount(pixels)} px</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function ScoreFilter({ sets, look, onLook }: Pick<AnnotationPanelProps, 'sets' | 'look' | 'onLook'>) {
  const range = scoreRange(sets, look.hiddenSets);
  if (!range) return null;
  const most = Math.max(range[1], 1);
  return (
    <section className={styles.section} aria-label="Scores">
      <header className={styles.head}>
        <h2>Score from {look.minScore.toFixed(2)}</h2>
        <span className={styles.count}>
          {range[0].toFixed(2)} to {range[1].toFixed(2)} here
        </span>
      </header>
      <Slider
        label="Least score"
        className={styles.slider}
        value={Math.min(look.minScore, most)}
        min={0}
        max={most}
        step={most / 100}
        onChange={(minScore) => onLook({ minScore })}
      />
    </section>
  );
}

/** Stands for no set; a control cannot have an empty value. */
const none = '\u0000';

function Comparing({ sets, masks, look, onLook, comparison }: AnnotationPanelProps) {
  const options = [
    { value: none, label: 'None' },
    ...comparableSets({ sets, masks }).map(({ name }) => ({ value: name, label: name })),
  ];
  const percent = (share: number | null) => (share === null ? '–' : `${Math.round(share * 100)}\u00a0%`);
  return (
    <section className={styles.section} aria-label="Truth and prediction">
      <h2>Truth against prediction</h2>
      <div className={styles.pair}>
        <Select
          label="Truth"
          value={look.truth ?? none}
          options={options}
          onChange={(truth) => onLook({ truth: truth === none ? null : truth })}
        />
        <Select
          label="Prediction"
          value={look.prediction ?? none}
          options={options}
          onChange={(prediction) => onLook({ prediction: prediction === none ? null : prediction })}
        />
      </div>
      {comparison && (
        <>
          <div className={styles.head}>
            <span>IoU from {look.minIou.toFixed(2)}</span>
            <Checkbox
              label="Same class"
              isChecked={look.isByClass}
              onChange={(isByClass) => onLook({ isByClass })}
            />
          </div>
          <Slider
            label="Least IoU"
            className={styles.slider}
            value={look.minIou}
            min={0.05}
            max={0.95}
            step={0.05}
            onChange={(minIou) => onLook({ minIou })}
          />
          <dl className={styles.figures}>
            <div className={styles.matches}>
              <dt>{verdictSigns.match} matches</dt>
              <dd>{comparison.matches}</dd>
            </div>
            <div className={styles.misses}>
              <dt>{verdictSigns.miss} missed</dt>
              <dd>{comparison.misses}</dd>
            </div>
            <div className={styles.falses}>
              <dt>{verdictSigns.false} false</dt>
              <dd>{comparison.falses}</dd>
            </div>
          </dl>
          <p className={styles.note}>
            Of what is shown in this picture: precision {percent(comparison.precision)}, recall{' '}
            {percent(comparison.recall)}
            {comparison.meanIou !== null && `, mean IoU of the matches ${comparison.meanIou.toFixed(2)}`}.
            {comparison.regions && ' Counted are classes: all that is of one class is one region.'}
          </p>
        </>
      )}
    </section>
  );
}

const mostListed = 2_000;

function AnnotationList({ sets, look, comparison, selected, onSelect }: AnnotationPanelProps) {
  const shown = [...filterSets(sets, look), ...(comparison?.regions ?? [])].flatMap((set) =>
    set.annotations.map((one) => ({ one, set: set.name })),
  );
  const chosen = useRef<HTMLLIElement>(null);
  const key = selected && `${selected.set}/${selected.index}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows what is selected
  useEffect(() => {
    void chosen.current?.scrollIntoView?.({ block: 'nearest' });
  }, [key]);
  if (shown.length === 0) return null;
  return (
    <section className={styles.section} aria-label="Annotations one by one">
      <ul className={styles.list} aria-label="Annotations">
        {shown.slice(0, mostListed).map(({ one, set }) => {
          const isSelected = selected?.set === set && selected.index === one.index;
          const verdict = comparison?.verdicts.get(verdictKey(set, one.index));
          return (
            <li key={`${set}/${one.index}`} ref={isSelected ? chosen : undefined}>
              <button
                type="button"
                aria-pressed={isSelected}
                className={cx(styles.item, isSelected && styles.chosen)}
                onClick={() => onSelect(isSelected ? null : { set, index: one.index })}
              >
                <span className={styles.swatch} style={{ background: classColour(one.label) }} />
                <span className={styles.name}>
                  {verdict && `${verdictSigns[verdict.verdict]} `}
                  {one.label ?? one.caption ?? `${set} ${one.index + 1}`}
                </span>
                {sets.length > 1 && <span className={styles.of}>{set}</span>}
                <span className={styles.count}>{figuresOf(one)}</span>
              </button>
            </li>
          );
        })}
      </ul>
      {shown.length > mostListed && (
        <p className={styles.note}>
          Listed are the first {mostListed} of {formatCount(shown.length)}.
        </p>
      )}
    </section>
  );
}

function figuresOf({ shapes, score }: Annotation): string {
  const bounds = boundsOfAll(shapes);
  const size = bounds ? `${Math.round(bounds.width)} × ${Math.round(bounds.height)}` : 'no shape';
  return score === null ? size : `${score.toFixed(2)} · ${size}`;
}
