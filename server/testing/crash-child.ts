import { join } from 'node:path';
import { openHome } from '../adapters/lance/connect.ts';
import { createTableDiff } from '../adapters/lance/diff/index.ts';
import { createLanceTableCare } from '../adapters/lance/table-care.ts';
import { createLanceParts, createLanceReader } from '../adapters/lance/table-reader.ts';
import { createLanceRowWriter } from '../adapters/lance/table-writer.ts';
import { openStudioStore } from '../adapters/sqlite/studio-store.ts';
import type { CallContext } from '../ports/call.ts';
import type { StudioStore } from '../ports/studio-store.ts';
import type { TableReader } from '../ports/table-reader.ts';
import type { TableWriter } from '../ports/table-writer.ts';
import { type CrashStory, crashStories } from './crash-stories.ts';

/**
 * Does one story over a home and kills itself, as `kill -9` does, at the n-th step that the journal or a table takes:
 * `crash-child.ts HOME STORY STEP`. Ends with 0 when the story has fewer steps. The step is the last line it writes.
 */
const [path, story, step] = process.argv.slice(2) as [string, CrashStory, string];

let taken = 0;
function dieAt(place: string): void {
  taken += 1;
  if (taken !== Number(step)) return;
  process.stdout.write(`${place}\n`);
  process.kill(process.pid, 'SIGKILL');
}

/** Steps before and after each call of the named methods. */
function guard<T extends object>(port: T, names: readonly (keyof T & string)[]): T {
  const guarded = names.map((name) => {
    const method = port[name] as (...args: unknown[]) => unknown;
    const call = (...args: unknown[]): unknown => {
      dieAt(`before ${name}`);
      const result = method.apply(port, args);
      const leave = (value: unknown) => {
        dieAt(`after ${name}`);
        return value;
      };
      return result instanceof Promise ? result.then(leave) : leave(result);
    };
    return [name, call];
  });
  return { ...port, ...Object.fromEntries(guarded) };
}

const home = await openHome(path);
const parts = createLanceParts({ home, cache: join(path, '.cache') });
const writer: TableWriter = { ...createLanceRowWriter(home), ...createLanceTableCare(home) };
const apply: TableWriter['apply'] = (input, context) => {
  const onProgress: CallContext['onProgress'] = ({ message, done }) => dieAt(`commit ${done}, ${message}`);
  return writer.apply(input, { ...context, onProgress });
};
const store: StudioStore = openStudioStore(join(path, 'studio.db'));
await crashStories[story].work({
  reader: createLanceReader(parts) as TableReader,
  writer: guard({ ...writer, apply }, ['createBranch', 'deleteBranch', 'restore']),
  diff: createTableDiff({ home, tables: parts.tables }),
  store: guard(store, ['keepRedo', 'openGroup', 'sealGroup', 'dropGroup']),
  now: () => new Date(),
});
