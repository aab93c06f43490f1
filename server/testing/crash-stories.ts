import type { EditOp } from '#shared/domain/edits.ts';
import type { MergePorts } from '../usecases/apply-merge.ts';
import { cherryPick } from '../usecases/cherry-pick.ts';
import { editTable } from '../usecases/edit-table.ts';
import { mergeBranches } from '../usecases/merge-branches.ts';
import { restoreBranch } from '../usecases/restore-branch.ts';
import { revertVersions } from '../usecases/revert-versions.ts';
import type { MadeColumn } from './columns.ts';

const context = { signal: new AbortController().signal };
const author = 'ann';
const rowCount = 8;
const count = <T>(of: (at: number) => T): T[] => Array.from({ length: rowCount }, (_none, at) => of(at));

/** A table with pictures, so that most changes take several Lance versions. */
export const crashTable: Record<string, MadeColumn> = {
  id: { type: 'int64', values: count(BigInt), nullable: false, metadata: { 'curio:key': '1' } },
  label: { type: 'utf8', values: count(() => 'start') },
  n: { type: 'int32', values: count(Number) },
  picture: { type: 'blob', values: count((at) => ({ data: Buffer.alloc(300, at), uri: null })) },
};

const set = (keys: number[], values: Record<string, unknown>): EditOp =>
  ({ op: 'set', rows: { keys }, values }) as EditOp;
const changes: EditOp[] = [
  set([1, 2], { label: 'changed' }),
  { op: 'insert', rows: [{ id: 100, label: 'new', n: 0 }] },
  { op: 'delete', rows: { keys: [4, 5] } },
];

const edit = (ports: MergePorts, branch: string, ops: EditOp[]) =>
  editTable(ports, { table: 'pets', branch, ops, author }, context);

interface Story {
  /** What is done before, on branches `exp` and `other`. */
  before(ports: MergePorts): Promise<unknown>;
  /** What is killed. */
  work(ports: MergePorts): Promise<unknown>;
  /** The branch that it changes. */
  branch: string;
  /** Doing it again when it is done changes nothing; else it is refused. */
  isRepeatable: boolean;
}

/** Ways to write that take several steps. */
export const crashStories = {
  'edit of several versions': {
    branch: 'exp',
    isRepeatable: false,
    before: async () => undefined,
    work: (ports) =>
      edit(ports, 'exp', [
        { op: 'addColumn', name: 'score', type: 'int32' },
        set([1, 2], { label: 'changed', score: 7 }),
        { op: 'delete', rows: { keys: [4] } },
      ]),
  },
  'merge with deletes': {
    branch: 'main',
    isRepeatable: true,
    before: (ports) => edit(ports, 'exp', changes),
    work: (ports) => mergeBranches(ports, { table: 'pets', from: 'exp', into: 'main', author }, context),
  },
  'merge with an added column': {
    branch: 'main',
    isRepeatable: true,
    before: (ports) => edit(ports, 'exp', [{ op: 'addColumn', name: 'twice', sql: '`n` * 2' }, ...changes]),
    work: (ports) => mergeBranches(ports, { table: 'pets', from: 'exp', into: 'main', author }, context),
  },
  'pick of several versions': {
    branch: 'other',
    isRepeatable: true,
    before: async (ports) => {
      await edit(ports, 'exp', [set([1], { label: 'one' })]);
      await edit(ports, 'exp', [set([2], { label: 'two' })]);
      await edit(ports, 'exp', [set([3], { n: 33 }), { op: 'delete', rows: { keys: [6] } }]);
    },
    work: (ports) =>
      cherryPick(
        ports,
        { table: 'pets', from: 'exp', into: 'other', versions: pickedVersions(ports), author },
        context,
      ),
  },
  revert: {
    branch: 'exp',
    isRepeatable: true,
    before: async (ports) => {
      await edit(ports, 'exp', changes);
      await edit(ports, 'exp', [set([3], { label: 'later' })]);
    },
    work: (ports) =>
      revertVersions(
        ports,
        { table: 'pets', branch: 'exp', versions: [editsOf(ports)[0]!], author },
        context,
      ),
  },
  restore: {
    branch: 'exp',
    isRepeatable: true,
    before: (ports) => edit(ports, 'exp', changes),
    work: (ports) => restoreBranch(ports, { table: 'pets', branch: 'exp', ref: 'exp:1', author }, context),
  },
} satisfies Record<string, Story>;

export type CrashStory = keyof typeof crashStories;

/** The versions that edits of `exp` made, oldest first. */
function editsOf({ store }: MergePorts): number[] {
  const known = store.facts.get('crash.exp');
  return known === null ? [] : (JSON.parse(known) as number[]);
}

/** The first and the last: those do not follow each other, so they are tried out on a scratch branch. */
function pickedVersions(ports: MergePorts): number[] {
  const versions = editsOf(ports);
  return [versions[0]!, versions.at(-1)!];
}
