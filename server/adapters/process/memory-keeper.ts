import { readFileSync } from 'node:fs';

/** A process that a pool has, as it is now. */
export interface KeptProcess {
  pid: number;
  isIdle: boolean;
  /** Ends it; the next call gets another. */
  end(): void;
}

export interface MemoryKeeperOptions {
  /** What this process and those of all pools may hold together. */
  totalBytes: number;
  /** Bytes that a process holds for itself; 0 where that cannot be known. */
  privateBytesOf?(pid: number): number;
  everyMs?: number;
}

const defaultEveryMs = 300;
/** The native libraries, which all processes share. */
const sharedBytes = 160 * 1024 * 1024;
/** A process that holds less has nothing to give: it would have this again after its start. */
const plainBytes = 96 * 1024 * 1024;

/** From `/proc`; other systems say 0, and there nothing is ended. */
function privateBytesFromProc(pid: number): number {
  try {
    const found = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
    return found ? Number(found[1]) * 1024 : 0;
  } catch {
    return 0;
  }
}

/**
 * Keeps all pools within one budget: while calls run it looks at what every process holds, and above the budget it ends
 * idle ones, the largest first. What they kept for the next call is read again when it is asked for.
 */
export class MemoryKeeper {
  #options: Required<MemoryKeeperOptions>;
  #pools: (() => readonly KeptProcess[])[] = [];
  #running = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: MemoryKeeperOptions) {
    this.#options = { privateBytesOf: privateBytesFromProc, everyMs: defaultEveryMs, ...options };
  }

  add(processes: () => readonly KeptProcess[]): void {
    this.#pools.push(processes);
  }

  /** A call begins; it tells when it is over. */
  follow(): () => void {
    this.#running += 1;
    this.#timer ??= setInterval(() => this.#look(), this.#options.everyMs).unref();
    return () => {
      this.#running -= 1;
    };
  }

  #look(): void {
    const { totalBytes, privateBytesOf } = this.#options;
    const held = this.#pools
      .flatMap((processes) => processes())
      .map((process) => ({ process, bytes: privateBytesOf(process.pid) }));
    let over =
      privateBytesOf(process.pid) +
      sharedBytes +
      held.reduce((sum, { bytes }) => sum + bytes, 0) -
      totalBytes;
    for (const { process: one, bytes } of held.sort((a, b) => b.bytes - a.bytes)) {
      if (over <= 0 || bytes <= plainBytes) break;
      if (!one.isIdle) continue;
      one.end();
      over -= bytes;
    }
    if (this.#running > 0 || !this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }
}
