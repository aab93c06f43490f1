import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { formatRef } from '#shared/domain/ref.ts';
import { type CrashStory, crashStories, crashTable } from './testing/crash-stories.ts';
import { makeTablePorts, type TablePorts } from './testing/table-ports.ts';
import { makeTable } from './testing/tables.ts';
import { recoverGroups } from './usecases/recover-groups.ts';
import { resolveRef } from './usecases/resolve-ref.ts';

const context = { signal: new AbortController().signal };
const child = new URL('./testing/crash-child.ts', import.meta.url).pathname;
const opened: TablePorts[] = [];
afterAll(() => Promise.all(opened.map((ports) => rm(ports.home.path, { recursive: true, force: true }))));

/** The table, its branches and what is done before. */
async function prepare(story: CrashStory): Promise<TablePorts> {
  const ports = await makeTablePorts();
  opened.push(ports);
  await makeTable(ports.home, 'pets', crashTable);
  for (const name of ['exp', 'other'])
    await ports.writer.createBranch({ table: 'pets', name, from: { branch: 'main', version: 1 } }, context);
  await crashStories[story].before(ports);
  const { uuid, branchCreatedAt } = await resolveRef(ports, 'pets', 'exp', context);
  const edits = ports.store.listEdits({ tableUuid: uuid, branch: 'exp', branchCreatedAt });
  const versions = edits.map(({ toVersion }) => toVersion).sort((a, b) => a - b);
  ports.store.facts.set('crash.exp', JSON.stringify(versions));
  return ports;
}

/** What a person sees of a branch, as text. */
async function shown(ports: TablePorts, branch: string): Promise<string> {
  const { ref } = await resolveRef(ports, 'pets', branch, context);
  const at = ref.branch === 'main' ? {} : { branch: ref.branch };
  const handle = await ports.home.connection.openTable('pets', [], { ...at, version: ref.version });
  const names = (await handle.schema()).fields.map(({ name }) => name).filter((name) => name !== 'picture');
  const rows = await handle.query().select(names).withRowId().toArray();
  const blobs = await handle.fetchBlobs(
    'picture',
    rows.map(({ _rowid }) => BigInt(_rowid)),
  );
  const texts = rows.map(
    ({ _rowid, ...row }, at) => `${Object.entries(row).sort().join()} ${blobs[at]?.toString('hex', 0, 2)}`,
  );
  return texts.sort().join('\n');
}

/** Runs the story in a process of its own; the step at which it died, or null when it came to its end. */
const runChild = (home: string, story: string, step: number): Promise<string | null> =>
  new Promise((resolve, reject) => {
    const args = ['--disable-warning=ExperimentalWarning', child, home, story, String(step)];
    execFile(process.execPath, args, (error, stdout, stderr) => {
      if (!error) resolve(null);
      else if (error.signal === 'SIGKILL') resolve(stdout.trim());
      else reject(new Error(stderr));
    });
  });

const patienceMs = 300_000;

/** `CURIO_LONG=1` takes every step; else every third one, from another one on in each story. */
const stride = process.env.CURIO_LONG === '1' ? 1 : 3;
const firstStep = (story: CrashStory): number => 1 + (Object.keys(crashStories).indexOf(story) % stride);

describe.concurrent('killed at every step of the journal, and started again', () => {
  test.each(Object.keys(crashStories) as CrashStory[])(
    '%s: there as a whole or not at all, and doing it again ends the same',
    async (story) => {
      const { branch, work, isRepeatable } = crashStories[story];
      const whole = await prepare(story);
      const before = await shown(whole, branch);
      await work(whole);
      const after = await shown(whole, branch);
      expect(after).not.toBe(before);
      whole.store.close();
      const places: string[] = [];
      const outcomes = new Set<string>();
      for (let step = firstStep(story); ; step += stride) {
        const ports = await prepare(story);
        const place = await runChild(ports.home.path, story, step);
        if (place === null) break;
        places.push(place);
        ports.reopenStore();
        const recovered = await recoverGroups(ports, context);
        expect(recovered.left, place).toEqual([]);
        const now = await shown(ports, branch);
        expect([before, after], `killed ${place}`).toContain(now);
        outcomes.add(now === after ? 'done' : 'not');
        expect(ports.store.listOpenGroups(), place).toEqual([]);
        const { uuid, branchCreatedAt, ref } = await resolveRef(ports, 'pets', branch, context);
        const [newest] = ports.store.listEdits({ tableUuid: uuid, branch, branchCreatedAt });
        if (now === after)
          expect(formatRef({ branch, version: newest!.toVersion }), place).toBe(formatRef(ref));
        const raw = await (await ports.home.connection.openTable('pets')).branches();
        expect(Object.keys(await raw.list()).sort(), place).toEqual(['exp', 'other']);
        if (isRepeatable || now === before) await work(ports);
        expect(await shown(ports, branch), `again after ${place}`).toBe(after);
        ports.store.close();
      }
      expect(places.length).toBeGreaterThan(1);
      if (stride === 1)
        expect(places).toEqual(expect.arrayContaining(['before openGroup', 'after sealGroup']));
      expect(outcomes).toEqual(new Set(['not', 'done']));
    },
    patienceMs,
  );
});
