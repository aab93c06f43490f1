import { readdirSync, readFileSync } from 'node:fs';

const everyMs = 100;

export interface Memory {
  /** Sum of the resident sizes: pages that processes share, the native library above all, count once for each. */
  rssMb: number;
  /** Pages that several processes share counted once. */
  sharedOnceMb: number;
  /** Of the latter, by process: `server`, `reader`, `sql`, … */
  byProcess: Map<string, number>;
}

const read = (path: string): string => {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
};

/** The server and all that it started, by its parents in /proc. */
function processesOf(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const found = /^\d+ \(.*\) \S (\d+)/s.exec(/^\d+$/.test(name) ? read(`/proc/${name}/stat`) : '');
    if (found) parents.set(Number(name), Number(found[1]));
  }
  const isOurs = (one: number | undefined): boolean =>
    one === pid || (one !== undefined && one > 1 && isOurs(parents.get(one)));
  return [...parents.keys()].filter(isOurs);
}

/** By the socket that an engine is started with. */
const nameOf = (pid: number): string =>
  /curio-([a-z]+)-[0-9a-f-]+\.sock/.exec(read(`/proc/${pid}/cmdline`))?.[1] ?? 'server';

export function memoryOf(pid: number): Memory {
  const sum: Memory = { rssMb: 0, sharedOnceMb: 0, byProcess: new Map() };
  for (const one of processesOf(pid)) {
    const pages = read(`/proc/${one}/smaps_rollup`);
    const mb = (key: string): number =>
      Number(new RegExp(`^${key}:\\s+(\\d+) kB`, 'm').exec(pages)?.[1] ?? 0) / 1024;
    const name = nameOf(one);
    sum.rssMb += mb('Rss');
    sum.sharedOnceMb += mb('Pss');
    sum.byProcess.set(name, (sum.byProcess.get(name) ?? 0) + mb('Pss'));
  }
  return sum;
}

/** The most that the server and its engines held together while `work` ran, and who held it. */
export async function peakOf(pid: number, work: () => Promise<void>): Promise<Memory> {
  let peak = memoryOf(pid);
  const look = () => {
    const now = memoryOf(pid);
    const rssMb = Math.max(peak.rssMb, now.rssMb);
    peak = { ...(now.sharedOnceMb > peak.sharedOnceMb ? now : peak), rssMb };
  };
  const timer = setInterval(look, everyMs);
  try {
    await work();
    look();
  } finally {
    clearInterval(timer);
  }
  return peak;
}
