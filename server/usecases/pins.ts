import { createHash } from 'node:crypto';
import { isAppError } from '#shared/api/problem.ts';
import { mainBranch } from '#shared/domain/ref.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import type { PinnedVersion } from '../ports/query-store.ts';
import { withTableTurn } from './table-turns.ts';

type PinPorts = Pick<Ports, 'writer' | 'store'>;

/** What has begun is waited for: an engine that is left goes on, and nobody would know of what it made. */
const begun = (): CallContext => ({ signal: new AbortController().signal });

/** The branch that keeps a version; one for all who point at it. Branches under `curio-pin/` are in no list. */
export function pinBranchName({ ref, branchCreatedAt }: PinnedVersion): string {
  const line = createHash('sha256').update(`${ref.branch}\0${branchCreatedAt}`).digest('hex').slice(0, 10);
  return `curio-pin/at-${line}-${ref.version}`;
}

/**
 * Keeps versions from being cleaned up for as long as the owner holds them. A branch at a version is what Lance's
 * cleaning never passes; it costs 2 KB.
 */
export async function pinVersions(
  ports: PinPorts,
  owner: string,
  pins: readonly PinnedVersion[],
  context: CallContext,
): Promise<void> {
  for (const pin of pins) {
    if (!ports.store.pins.isHeld(pin)) await makePinBranch(ports, pin, context);
    ports.store.pins.add(owner, pin);
  }
}

async function makePinBranch(ports: PinPorts, pin: PinnedVersion, context: CallContext): Promise<void> {
  const { table, ref } = pin;
  await withTableTurn(table, context.signal, async () => {
    try {
      await ports.writer.createBranch({ table, name: pinBranchName(pin), from: ref }, begun());
    } catch (error) {
      if (!isAppError(error) || error.code !== 'EXISTS') throw error;
    }
  });
}

/** Lets go of what an owner held; what nobody holds any more may be cleaned up. */
export async function releasePins(ports: PinPorts, owner: string, context: CallContext): Promise<void> {
  const pins = ports.store.pins.listOf(owner);
  ports.store.pins.remove(owner);
  for (const pin of pins)
    if (!ports.store.pins.isHeld(pin))
      await withTableTurn(pin.table, context.signal, () => dropPinBranch(ports, pin));
}

/** What cannot be removed stays: a pin too many loses nothing. */
async function dropPinBranch(ports: PinPorts, pin: PinnedVersion): Promise<void> {
  const { table, ref, tableUuid, branchCreatedAt } = pin;
  try {
    await ports.writer.deleteBranch({ table, name: pinBranchName(pin) }, begun());
    const isFree = ports.store.pins.listOn({ tableUuid, branch: ref.branch }).length === 0;
    if (!isFree || !isHiddenBranch(ports, { tableUuid, branch: ref.branch, branchCreatedAt })) return;
    await ports.writer.deleteBranch({ table, name: ref.branch }, begun());
    ports.store.facts.set(hiddenBranchFact(tableUuid, ref.branch), null);
  } catch (error) {
    if (!isAppError(error)) throw error;
  }
}

interface BranchIdentity {
  tableUuid: string;
  branch: string;
  branchCreatedAt: string;
}

const hiddenBranchFact = (uuid: string, branch: string): string => `branch.hidden:${uuid}:${branch}`;

/** Deleted by a person, and kept because something points at one of its versions. */
export const isHiddenBranch = (
  { store }: Pick<Ports, 'store'>,
  { tableUuid, branch, branchCreatedAt }: BranchIdentity,
): boolean =>
  branch !== mainBranch && store.facts.get(hiddenBranchFact(tableUuid, branch)) === branchCreatedAt;

/** Takes a branch out of every list in place of deleting it, where versions of it are held; false where none are. */
export function hideBranchIfHeld({ store }: Pick<Ports, 'store'>, identity: BranchIdentity): boolean {
  const { tableUuid, branch, branchCreatedAt } = identity;
  const pins = store.pins.listOn({ tableUuid, branch });
  if (!pins.some((pin) => pin.branchCreatedAt === branchCreatedAt)) return false;
  store.facts.set(hiddenBranchFact(tableUuid, branch), branchCreatedAt);
  return true;
}

/** The name belongs to a branch that was deleted and is still kept. */
export const hasHiddenBranch = ({ store }: Pick<Ports, 'store'>, uuid: string, branch: string): boolean =>
  store.facts.get(hiddenBranchFact(uuid, branch)) !== null;
