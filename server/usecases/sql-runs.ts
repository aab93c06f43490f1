import type { ByteStream } from '../ports/call.ts';

/** Statements that run at once, each in a process of its own. */
export const sqlEngines = 2;

type Turn = 'waiting' | 'working';

interface Run {
  id: string | null;
  turn: Turn;
}

/** Which statements run on the server now, and which wait for an engine. */
export interface SqlRuns {
  /** Follows a run until its last byte; `work` is told how to say where it stands. */
  follow(id: string | null, work: (onTurn: (turn: Turn) => void) => Promise<ByteStream>): Promise<ByteStream>;
  activity(id: string | undefined): {
    running: number;
    waiting: number;
    run: 'waiting' | 'running' | null;
  };
}

export function createSqlRuns(): SqlRuns {
  const runs = new Set<Run>();
  const count = (turn: Turn): number => [...runs].filter((run) => run.turn === turn).length;
  return {
    async follow(id, work) {
      const run: Run = { id, turn: 'working' };
      runs.add(run);
      const end = () => void runs.delete(run);
      try {
        const stream = await work((turn) => {
          run.turn = turn;
        });
        const { chunks, handOver } = stream;
        return {
          ...stream,
          chunks: untilEnd(chunks, end),
          ...(handOver && { handOver: (client, head) => handOver(client, head).finally(end) }),
        };
      } catch (error) {
        end();
        throw error;
      }
    },
    activity(id) {
      const run = id === undefined ? undefined : [...runs].find((one) => one.id === id);
      return {
        running: count('working'),
        waiting: count('waiting'),
        run: run ? (run.turn === 'waiting' ? 'waiting' : 'running') : null,
      };
    },
  };
}

/** Calls `end` once: after the last chunk, on an error, and when the iterator is left or never begun. */
function untilEnd(chunks: AsyncIterable<Uint8Array>, end: () => void): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const inner = chunks[Symbol.asyncIterator]();
      return {
        async next() {
          try {
            const next = await inner.next();
            if (next.done) end();
            return next;
          } catch (error) {
            end();
            throw error;
          }
        },
        async return() {
          end();
          await inner.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
