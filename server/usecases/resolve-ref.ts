import { AppError, notFound } from '#shared/api/problem.ts';
import { assertBranchName, assertTableName, assertTagName } from '#shared/domain/names.ts';
import { didYouMean } from '#shared/domain/near-names.ts';
import { formatRef, mainBranch, type PinnedRef, parseRef, type Ref } from '#shared/domain/ref.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import type { BranchHead, Pinned, TableHeads } from '../ports/table-reader.ts';
import { isHiddenBranch } from './pins.ts';

export interface ResolvedRef {
  table: string;
  ref: PinnedRef;
  /** For reads of the table at the ref. */
  pinned: Pinned;
  /** Sealed: a branch that an open group holds stands at the version before the group. */
  heads: TableHeads;
  uuid: string;
  /** Empty for main. With `uuid` it tells names that are used again from those before. */
  branchCreatedAt: string;
  /** `ref` is the newest sealed version of its branch. */
  isHead: boolean;
  /** The text named the version, so the same text always means the same rows. */
  isPinned: boolean;
}

type RefPorts = Pick<Ports, 'reader' | 'store'>;

/**
 * Turns what a request names into a pinned ref of a table that is there. BAD_REQUEST for names that cannot be,
 * NOT_FOUND for what never was (with near names), GONE for the trash, deleted branches and cleaned-up versions,
 * INVALID_FILE for a table that is listed but has no version.
 */
export async function resolveRef(
  ports: RefPorts,
  table: string,
  refText: string,
  context: CallContext,
): Promise<ResolvedRef> {
  const ref = parseRefNames(refText);
  const heads = await readSealedHeads(ports, table, context);
  const pinned = await pinRef(ports, table, heads, ref, context);
  const head = headOf(heads, pinned.branch);
  const { uuid } = heads;
  const branchCreatedAt = (head ? head.createdAt : heldVersion(ports, uuid, pinned)?.branchCreatedAt) ?? '';
  return {
    table,
    ref: pinned,
    pinned: { table, ref: pinned, known: { uuid, branchCreatedAt } },
    heads,
    uuid,
    branchCreatedAt,
    isHead: head?.version === pinned.version,
    isPinned: ref.kind === 'branch' && ref.version !== undefined,
  };
}

/** Heads of a table that is listed, as people may see them. Errors as for {@link resolveRef}. */
export async function readSealedHeads(
  ports: RefPorts,
  table: string,
  context: CallContext,
): Promise<TableHeads> {
  assertTableName(table);
  assertNotInTrash(ports, table);
  return sealHeads(ports, await readHeads(ports, table, context));
}

/** Puts each branch that an open group holds back to the version before the group; deleted ones that are only kept are left out. */
export function sealHeads(ports: Pick<Ports, 'store'>, heads: TableHeads): TableHeads {
  const groups = ports.store.listOpenGroups(heads.uuid);
  const shown = heads.branches.filter(
    ({ name, createdAt }) =>
      !isHiddenBranch(ports, { tableUuid: heads.uuid, branch: name, branchCreatedAt: createdAt ?? '' }),
  );
  if (groups.length === 0 && shown.length === heads.branches.length) return heads;
  const branches = shown.map((head) => {
    const held = groups.filter(
      (group) => group.branch === head.name && group.branchCreatedAt === (head.createdAt ?? ''),
    );
    return { ...head, version: Math.min(head.version, ...held.map((group) => group.fromVersion)) };
  });
  return { ...heads, branches };
}

const deletedBranchFact = (uuid: string, branch: string): string => `branch.deleted:${uuid}:${branch}`;

/** Remembers that a branch was deleted, so that links to it answer GONE; call after the deletion. */
export function rememberDeletedBranch(
  ports: Pick<Ports, 'store' | 'now'>,
  uuid: string,
  branch: string,
): void {
  ports.store.facts.set(deletedBranchFact(uuid, branch), ports.now().toISOString());
}

const headOf = (heads: TableHeads, branch: string): BranchHead | undefined =>
  heads.branches.find((head) => head.name === branch);

function parseRefNames(refText: string): Ref {
  const ref = parseRef(refText);
  if (ref.kind === 'tag') assertTagName(ref.tag);
  else if (ref.branch !== mainBranch) assertBranchName(ref.branch);
  return ref;
}

function assertNotInTrash(ports: RefPorts, table: string): void {
  if (!ports.store.trash.list().some(({ name }) => name === table)) return;
  throw new AppError({
    code: 'GONE',
    message: `The table ${table} is in the trash.`,
    hint: 'Restore it from the trash to use it again.',
  });
}

async function readHeads(ports: RefPorts, table: string, context: CallContext): Promise<TableHeads> {
  try {
    return await ports.reader.readHeads({ table }, context);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'NOT_FOUND') throw error;
    const known = await ports.reader.listTables({}, context);
    const problem = known.find(({ name }) => name === table)?.problem ?? null;
    if (problem !== null) throw brokenTable(problem, error);
    const trashed = new Set(ports.store.trash.list().map(({ name }) => name));
    throw notFound(
      `The table ${table}`,
      didYouMean(
        table,
        known.map(({ name }) => name).filter((name) => !trashed.has(name)),
      ),
    );
  }
}

const brokenTable = (problem: string, cause: unknown): AppError =>
  new AppError({
    code: 'INVALID_FILE',
    message: problem,
    hint: 'Restore the table’s files from a backup, or move it to the trash.',
    cause,
  });

async function pinRef(
  ports: RefPorts,
  table: string,
  heads: TableHeads,
  ref: Ref,
  context: CallContext,
): Promise<PinnedRef> {
  if (ref.kind === 'tag') {
    const tag = heads.tags.find(({ name }) => name === ref.tag);
    if (!tag)
      throw notFound(
        `The tag ${ref.tag}`,
        nearOrAll(
          ref.tag,
          heads.tags.map(({ name }) => name),
          'tags',
        ),
      );
    return { branch: tag.branch, version: tag.version };
  }
  const head = headOf(heads, ref.branch);
  if (!head && ref.version !== undefined) {
    const held = heldVersion(ports, heads.uuid, { branch: ref.branch, version: ref.version });
    if (held) return held.ref;
  }
  const isDeleted = (): boolean => ports.store.facts.get(deletedBranchFact(heads.uuid, ref.branch)) !== null;
  if (!head)
    throw isDeleted()
      ? branchGone(ref.branch)
      : notFound(
          `The branch ${ref.branch}`,
          nearOrAll(
            ref.branch,
            heads.branches.map(({ name }) => name),
            'branches',
          ),
        );
  if (ref.version === undefined || ref.version === head.version)
    return { branch: head.name, version: head.version };
  const pinned = { branch: ref.branch, version: ref.version };
  const first = head.parent?.version ?? 1;
  if (pinned.version < first && isDeleted()) throw branchGone(ref.branch);
  if (pinned.version > head.version || pinned.version < first)
    throw notFound(
      `The version ${formatRef(pinned)}`,
      `The branch ${head.name} goes from version ${first} to ${head.version}.`,
    );
  const { exists } = await ports.reader.hasVersion({ table, ref: pinned }, context);
  if (exists) return pinned;
  throw new AppError({
    code: 'GONE',
    message: `The version ${formatRef(pinned)} has been cleaned up.`,
    hint: `Open the newest version of the branch, ${head.name}:${head.version}; tag a version to keep it.`,
  });
}

const listed = 12;

/** What a person may have meant, else what there is. */
function nearOrAll(name: string, known: readonly string[], what: 'branches' | 'tags'): string {
  const near = didYouMean(name, known);
  if (near !== undefined) return near;
  if (known.length === 0) return `The table has no ${what}.`;
  const rest = known.length - listed;
  return `Its ${what}: ${known.slice(0, listed).join(', ')}${rest > 0 ? `, and ${rest} more` : ''}.`;
}

/** A version of a branch that was deleted and is kept for what points at it. */
const heldVersion = ({ store }: Pick<Ports, 'store'>, tableUuid: string, { branch, version }: PinnedRef) =>
  store.pins
    .listOn({ tableUuid, branch })
    .find(
      ({ ref, branchCreatedAt }) =>
        ref.version === version && isHiddenBranch({ store }, { tableUuid, branch, branchCreatedAt }),
    );

const branchGone = (branch: string): AppError =>
  new AppError({
    code: 'GONE',
    message: `The branch ${branch} has been deleted.`,
    hint: 'What it held is gone unless it was merged; open main instead.',
  });
