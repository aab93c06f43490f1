/** Where a statement runs, and why there. */
export interface Placement {
  engine: 'browser' | 'server';
  /** A sentence for the screen. */
  reason: string;
}

export interface PlacementInput {
  /** Estimated bytes of all columns that the statement reads. */
  bytes: number;
  /** Of these, bytes that the browser already holds. */
  residentBytes: number;
  /** What the browser's engine may hold. */
  memoryLimitBytes: number;
  /** Why the browser's engine cannot run the statement; `null` when it can. */
  serverOnlyBecause: string | null;
  /** What the person chose. */
  override?: 'browser' | 'server' | null;
}

/** Bytes that are worth fetching to answer a first statement in the browser. */
export const fetchBudgetBytes = 64 * 1024 * 1024;
/** The share of its memory that columns may fill; the rest is for the work on them. */
const columnShare = 0.5;

export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/**
 * Chooses the engine: the browser when it can run the statement and the columns are there or small enough to fetch,
 * else the server. A person's choice counts unless the browser cannot do it at all.
 */
export function planPlacement(input: PlacementInput): Placement {
  const { bytes, residentBytes, memoryLimitBytes, serverOnlyBecause, override } = input;
  const missing = Math.max(0, bytes - residentBytes);
  const fits = bytes <= memoryLimitBytes * columnShare;
  if (override === 'server') return { engine: 'server', reason: 'you chose the server' };
  if (serverOnlyBecause !== null) return { engine: 'server', reason: serverOnlyBecause };
  if (!fits)
    return {
      engine: 'server',
      reason: `its columns need ${formatBytes(bytes)}, more than the browser can hold (${formatBytes(memoryLimitBytes * columnShare)})`,
    };
  if (override === 'browser') return { engine: 'browser', reason: 'you chose the browser' };
  if (bytes === 0) return { engine: 'browser', reason: 'it reads no columns' };
  if (missing === 0) return { engine: 'browser', reason: 'its columns are here already' };
  if (missing <= fetchBudgetBytes)
    return { engine: 'browser', reason: `its columns are small enough to fetch (${formatBytes(missing)})` };
  return {
    engine: 'server',
    reason: `its columns are ${formatBytes(missing)} to fetch, more than a first answer is worth`,
  };
}
