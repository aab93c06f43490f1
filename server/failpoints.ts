import type { CallContext } from './ports/call.ts';
import type { StudioStore } from './ports/studio-store.ts';
import type { TableWriter } from './ports/table-writer.ts';

/**
 * For tests of crashes: `CURIO_FAILPOINT=sealGroup:before` or `commit:2` ends the whole server at that point, as
 * `kill -9` does. Without the variable nothing here is in the way.
 */
const failpoint = process.env.CURIO_FAILPOINT;

function dieAt(point: string, pid: number): void {
  if (point !== failpoint) return;
  process.kill(pid, 'SIGKILL');
  if (pid !== process.pid) process.kill(process.pid, 'SIGKILL');
}

const guarded = ['keepRedo', 'openGroup', 'sealGroup', 'dropGroup'] as const;

/** The store, with points before and after each entry of the journal. */
export function guardStore(store: StudioStore): StudioStore {
  if (failpoint === undefined) return store;
  const points = guarded.map((name) => {
    const method = store[name] as (...args: never[]) => unknown;
    const call = (...args: never[]): unknown => {
      dieAt(`${name}:before`, process.pid);
      const result = method(...args);
      if (!(result instanceof Promise)) dieAt(`${name}:after`, process.pid);
      return result instanceof Promise ? result.then(() => dieAt(`${name}:after`, process.pid)) : result;
    };
    return [name, call];
  });
  return { ...store, ...Object.fromEntries(points) };
}

/** The writer in its engine, with a point after each commit of a changeset. */
export function guardWriter<W extends Pick<TableWriter, 'apply'>>(writer: W): W {
  if (failpoint === undefined) return writer;
  const apply: TableWriter['apply'] = (input, context) => {
    const onProgress: CallContext['onProgress'] = (progress) => {
      dieAt(`commit:${progress.done}`, process.ppid);
      context.onProgress?.(progress);
    };
    return writer.apply(input, { ...context, onProgress });
  };
  return { ...writer, apply };
}
