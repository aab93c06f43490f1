/** One measured pair: ours and the peer's, in the same moment. */
interface Pair {
  ours: number;
  peer: number;
}

export interface Goal {
  name: string;
  /** What the ratio is: ours / peer, of what. */
  unit: string;
  limit: number;
  /** `atMost` for times, `atLeast` for rates. */
  direction: 'atMost' | 'atLeast';
}

export interface Result extends Goal {
  ratio: number;
  /** Bootstrap interval of the median ratio, 5 % to 95 %. */
  interval: [number, number];
  ours: number;
  peer: number;
  isMet: boolean;
  note?: string;
}

const pairCount = 9;
const resamples = 500;

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

/** A small deterministic generator (mulberry32), so that intervals repeat. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Runs ours and the peer in turns after one warm-up of each, and judges the median of the pairwise ratios. */
export async function comparePairs(
  goal: Goal,
  {
    ours,
    peer,
    pairs = pairCount,
  }: { ours: () => Promise<number>; peer: () => Promise<number>; pairs?: number },
): Promise<Result> {
  await ours();
  await peer();
  const measured: Pair[] = [];
  for (let i = 0; i < pairs; i++) measured.push({ ours: await ours(), peer: await peer() });
  const ratios = measured.map((pair) => pair.ours / pair.peer);
  const random = createRandom(7);
  const medians = Array.from({ length: resamples }, () =>
    median(ratios.map(() => ratios[Math.floor(random() * ratios.length)]!)),
  ).sort((a, b) => a - b);
  return judge(goal, {
    ratio: median(ratios),
    interval: [medians[Math.floor(resamples * 0.05)]!, medians[Math.floor(resamples * 0.95)]!],
    ours: median(measured.map((pair) => pair.ours)),
    peer: median(measured.map((pair) => pair.peer)),
  });
}

export function judge(
  goal: Goal,
  measured: Pick<Result, 'ratio' | 'interval' | 'ours' | 'peer' | 'note'>,
): Result {
  const isMet = goal.direction === 'atMost' ? measured.ratio <= goal.limit : measured.ratio >= goal.limit;
  return { ...goal, ...measured, isMet };
}
