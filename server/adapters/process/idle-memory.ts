import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface IdleMemoryOptions {
  /** Gives what native code has freed back to the system. */
  trim?(): Promise<void>;
  /** Says how many bytes are resident when nothing is left to do. */
  tell(residentBytes: number): void;
  isBusy(): boolean;
  /** How long nothing must have been asked before memory is given back. */
  idleMs?: number;
}

/** People who scroll pause for less. */
const defaultIdleMs = 500;
/** Growth since the last time that is worth the work. */
const worthBytes = 48 * 1024 * 1024;
/** Growth that is given back at the first pause, though the next call may have to wait for it. */
const pressingBytes = 192 * 1024 * 1024;
const pressingMs = 10;
/** Asking for the size reads a file: not after every small call. */
const lookEveryMs = 100;
/** What a process with the native libraries has from its start. */
const startBytes = 160 * 1024 * 1024;
/** Less is not worth a message. */
const toldFromBytes = 256 * 1024 * 1024;

/** What the first collection finds of array buffers is freed beside it; the second one waits for that. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  await nextTurn();
  collect();
}

/**
 * What a process does about its memory when its last call is over: garbage is collected and freed memory given back once
 * it has been idle for a moment, which neither Node nor the C library does by itself; then its size is told.
 */
export class IdleMemory {
  #options: IdleMemoryOptions;
  #timer: NodeJS.Timeout | null = null;
  #leftBytes = startBytes;
  #toldBytes = 0;
  #lookedAt = 0;

  constructor(options: IdleMemoryOptions) {
    this.#options = options;
  }

  /** To be called whenever nothing is left to do. */
  settle(): void {
    if (!this.#options.trim) {
      this.#tell();
      return;
    }
    const { idleMs = defaultIdleMs } = this.#options;
    if (this.#timer && performance.now() - this.#lookedAt < lookEveryMs) {
      this.#timer.refresh();
      return;
    }
    this.#lookedAt = performance.now();
    const isPressing = process.memoryUsage.rss() > this.#leftBytes + pressingBytes;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#giveBack(), isPressing ? pressingMs : idleMs).unref();
  }

  async #giveBack(): Promise<void> {
    this.#timer = null;
    const { isBusy, trim } = this.#options;
    if (isBusy()) return;
    if (process.memoryUsage.rss() > this.#leftBytes + worthBytes) {
      await collectGarbage();
      await trim?.().catch(() => undefined);
      this.#leftBytes = Math.max(startBytes, process.memoryUsage.rss());
    }
    if (!isBusy()) this.#tell();
  }

  #tell(): void {
    const rss = process.memoryUsage.rss();
    const residentBytes = rss > toldFromBytes ? rss : 0;
    if (residentBytes !== this.#toldBytes) this.#options.tell(residentBytes);
    this.#toldBytes = residentBytes;
  }
}
