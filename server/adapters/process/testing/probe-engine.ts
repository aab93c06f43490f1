import { pbkdf2 } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '#shared/api/problem.ts';
import type { CallContext } from '../../../ports/call.ts';
import { serveEngine } from '../serve-engine.ts';

const tickMs = 5;
const kept: Buffer[] = [];

serveEngine([
  {
    echo: async (input: unknown) => input,
    fail: async () => {
      throw new AppError({
        code: 'SQL_BIND',
        message: 'No such column.',
        hint: 'Look again.',
        at: { line: 1, column: 7 },
      });
    },
    crash: async () => process.kill(process.pid, 'SIGKILL'),
    progress: async (_input: unknown, { onProgress }: CallContext) => {
      onProgress?.({ done: 1, total: 2, unit: 'rows', message: 'half' });
      return 'done';
    },
    deaf: async ({ ms }: { ms: number }, { onProgress }: CallContext) => {
      onProgress?.({ done: 0, total: null, unit: '', message: 'begun' });
      const until = performance.now() + ms;
      while (performance.now() < until) await delay(tickMs);
      return process.pid;
    },
    /** Keeps so many bytes of memory until the process ends. */
    keep: async ({ bytes }: { bytes: number }) => {
      kept.push(Buffer.alloc(bytes, 1));
      return process.pid;
    },
    untilAborted: async (_input: unknown, { signal }: CallContext) => {
      while (!signal.aborted) await delay(tickMs);
      return 'aborted';
    },
    /** Numbered chunks as large as needed to be offered; `failAfter` breaks them off with an error. */
    offered: async (
      { chunks, failAfter }: { chunks: number; failAfter?: number },
      { signal }: CallContext,
    ) => ({
      facts: { chunks },
      expectedBytes: 2 ** 30,
      chunks: (async function* () {
        for (let i = 0; i < chunks && !signal.aborted; i++) {
          if (i === failAfter) throw new AppError({ code: 'INVALID_FILE', message: 'It broke.' });
          yield new Uint8Array(1 << 16).fill(i);
        }
      })(),
    }),
    bytes: async (
      { chunks, size, crashAfter }: { chunks: number; size: number; crashAfter?: number },
      { signal }: CallContext,
    ) => ({
      facts: { chunks },
      chunks: (async function* () {
        for (let i = 0; i < chunks; i++) {
          if (signal.aborted) return;
          if (i === crashAfter) process.kill(process.pid, 'SIGKILL');
          yield new Uint8Array(size).fill(i);
        }
      })(),
    }),
  },
]);

// Native work that nothing ends, as a statement of SQL may be.
if (process.env.PROBE_IS_BUSY) pbkdf2('', '', 2 ** 31 - 1, 64, 'sha512', () => undefined);
