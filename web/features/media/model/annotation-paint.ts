import { classColour } from '#shared/domain/annotations/class-colour.ts';
import type { Annotation } from '#shared/domain/annotations/shape.ts';
import { type SetComparison, type Verdict, verdictKey, verdictSigns } from './compare-sets.ts';

/** How an annotation is drawn: never told by its colour alone. */
export interface Paint {
  stroke: string;
  isDashed: boolean;
  /** Stands before its name. */
  sign: string;
}

export type Tone = 'added' | 'removed' | 'same';

const verdictPaint: Record<Verdict, Paint> = {
  match: { stroke: 'oklch(0.82 0.19 150)', isDashed: false, sign: verdictSigns.match },
  miss: { stroke: 'oklch(0.7 0.21 26)', isDashed: true, sign: verdictSigns.miss },
  false: { stroke: 'oklch(0.85 0.16 85)', isDashed: false, sign: verdictSigns.false },
};

const tonePaint: Record<Tone, Paint> = {
  added: { stroke: 'oklch(0.82 0.19 150)', isDashed: false, sign: '+' },
  removed: { stroke: 'oklch(0.7 0.21 26)', isDashed: true, sign: '−' },
  same: { stroke: 'oklch(1 0 0 / 0.75)', isDashed: false, sign: '' },
};

export interface PaintRules {
  /** Sets in a state colour instead of those of their classes: old against new. */
  tones?: Readonly<Record<string, Tone>>;
  comparison?: SetComparison | null;
}

/** By the state of its set, its verdict in a comparison, or its class. */
export function paintOf(
  { label, index }: Annotation,
  { set, tones, comparison }: PaintRules & { set: string },
): Paint {
  const tone = tones?.[set];
  if (tone) return tonePaint[tone];
  const verdict = comparison?.verdicts.get(verdictKey(set, index))?.verdict;
  if (verdict) return verdictPaint[verdict];
  return { stroke: classColour(label), isDashed: false, sign: '' };
}

/** What stands at an annotation: sign, class or caption, score, IoU with its match. */
export function nameOf(
  { label, score, caption, index }: Annotation,
  { sign, set, comparison }: PaintRules & { sign: string; set: string },
): string {
  const iou = comparison?.verdicts.get(verdictKey(set, index))?.iou ?? null;
  const parts = [
    sign,
    label ?? caption?.slice(0, 40) ?? '',
    score === null ? '' : score.toFixed(2),
    iou === null ? '' : `IoU ${iou.toFixed(2)}`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}
