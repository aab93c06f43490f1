import type { RowEvent } from '#shared/api/history.ts';
import type { PinnedRef } from '#shared/domain/ref.ts';
import type { RowKey } from '#shared/domain/selection.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import type { RowStamp, RowStep, TracedColumn } from '../ports/row-trace.ts';
import { type LoggedStep, reviewOf, type VersionLog } from './version-log.ts';

export type WalkPorts = Pick<Ports, 'reader' | 'store' | 'trace'>;

/** Where a walk has come to: the row as it is at a version that is stored. */
export interface WalkState {
  at: PinnedRef;
  stamp: RowStamp | null;
  /** No version of the branch from here up to `at` went back to an earlier one: seen already. */
  clear?: number;
}

export interface Walked {
  event: { found: RowEvent; step: LoggedStep } | null;
  /** `null` when nothing lies before. */
  next: WalkState | null;
  end: 'begin' | 'cleaned-up' | null;
}

/** What a walk may still cost: rows read, and manifests looked at. */
export interface WalkBudget {
  reads: number;
  manifests: number;
}

export interface WalkedRow {
  table: string;
  /** Only what changed this cell. */
  column: TracedColumn | null;
  key: RowKey | null;
  rowId: string | null;
  isHiddenKey: boolean;
  hasStableRowIds: boolean;
}

interface Reading {
  read: RowStep;
  step: LoggedStep;
  branch: string;
  before: PinnedRef | null;
  after: PinnedRef;
  /** Versions between the two were cleaned up. */
  isGap: boolean;
}

const versionsAtOnce = 200;
const manifestsAtOnce = 2000;
/** As many manifests of which only the operation is read cost as much as one that is read whole. */
const lightManifests = 8;

/** Goes back through the versions of one row, by what Lance keeps about it, not from version to version. */
export class RowWalk {
  #ports: WalkPorts;
  #log: VersionLog;
  #row: WalkedRow;
  #budget: WalkBudget;
  #context: CallContext;

  constructor(
    ports: WalkPorts,
    {
      log,
      row,
      budget,
      context,
    }: { log: VersionLog; row: WalkedRow; budget: WalkBudget; context: CallContext },
  ) {
    this.#ports = ports;
    this.#log = log;
    this.#row = row;
    this.#budget = budget;
    this.#context = context;
  }

  get isSpent(): boolean {
    return this.#budget.reads <= 0 || this.#budget.manifests <= 0;
  }

  /** One step back: to the version that last wrote the row, or that removed it, and to the one before that. */
  async back({ at: ref, stamp, clear }: WalkState): Promise<Walked> {
    const at = this.#log.placeOf(ref);
    const changed = stamp ? await this.#lastWrite(at, stamp, clear) : await this.#lastLoss(at);
    if ('end' in changed) {
      const next = changed.end === null ? { at: changed.at, stamp, clear: changed.clear } : null;
      return { event: null, next, end: changed.end };
    }
    const { branch } = changed.at;
    const step = this.#log.stepAt(branch, changed.at.version);
    const wanted = this.#log.placeOf({ branch, version: step.from });
    const before = step.from < 1 ? null : await this.#log.storedAt(wanted, this.#context);
    const after = await this.#afterOf(at, { branch, version: step.version });
    const read = await this.#read({ before, after, stamp });
    const isGap = before !== null && !isSameRef(before, wanted);
    const found = await this.#event({ read, step, branch, before, after, isGap });
    const event = found && { found, step };
    if (!before) return { event, next: null, end: step.from < 1 ? 'begin' : 'cleaned-up' };
    if (this.#isBorn(read, before)) return { event, next: null, end: 'begin' };
    return { event, next: { at: before, stamp: read.before }, end: null };
  }

  /** The row was not there before, and nothing else can have had its identity. */
  #isBorn({ before, after }: RowStep, at: PinnedRef): boolean {
    const { key, isHiddenKey, hasStableRowIds } = this.#row;
    if (before || !after || !hasStableRowIds) return false;
    return (key === null || isHiddenKey) && after.createdAt > at.version;
  }

  /** The version that wrote what the row holds now: its own last write, or a restore that brought that back. */
  async #lastWrite(at: PinnedRef, stamp: RowStamp, clear = at.version): Promise<Changed> {
    if (!this.#row.hasStableRowIds) return this.#nextChange(at, () => true);
    const { lastUpdated } = stamp;
    const fork = this.#log.headOf(at.branch)?.parent ?? null;
    const above = Math.max(fork?.version ?? 0, lastUpdated);
    const { restored, clear: seenTo } = await this.#lastRestore(at, { above, clear });
    if (restored === null && seenTo > above) return { at, end: null, clear: seenTo };
    if (restored !== null) return { at: { branch: at.branch, version: restored } };
    if (fork && lastUpdated <= fork.version) return this.#lastWrite(this.#log.placeOf(fork), stamp);
    return { at: { branch: at.branch, version: Math.max(1, lastUpdated) } };
  }

  /**
   * The newest version in (`above`, `clear`] that went back to an earlier one: from the log, else from the manifest.
   * `clear` of the answer says how far down was looked, which is above `above` when that was enough for one request.
   */
  async #lastRestore(
    { branch, version }: PinnedRef,
    { above, clear }: { above: number; clear: number },
  ): Promise<{ restored: number | null; clear: number }> {
    const edits = this.#log.edits(branch, { above, below: version });
    const known = edits.find(({ kind, toVersion }) => kind === 'restore' && toVersion <= version);
    const floor = Math.max(above, known?.toVersion ?? 0);
    const isLogged = new Set<number>();
    for (const { fromVersion, toVersion } of edits)
      for (let each = Math.max(floor, fromVersion) + 1; each <= Math.min(version, toVersion); each++)
        isLogged.add(each);
    let top = Math.min(version, clear);
    while (top > floor) {
      if (this.#budget.manifests <= 0) return { restored: null, clear: top };
      const some: number[] = [];
      for (; top > floor && some.length < manifestsAtOnce; top--) if (!isLogged.has(top)) some.push(top);
      if (some.length === 0) continue;
      this.#budget.manifests -= Math.ceil(some.length / lightManifests);
      const { versions } = await this.#ports.trace.restores(
        { table: this.#row.table, branch, incarnation: this.#log.incarnationOf(branch), versions: some },
        this.#context,
      );
      if (versions.length > 0) return { restored: Math.max(...versions), clear: top };
    }
    return { restored: known?.toVersion ?? null, clear: above };
  }

  /** The version that removed the row, or that went back to before it. */
  #lastLoss(at: PinnedRef): Promise<Changed> {
    return this.#nextChange(at, (deleted, kind) => deleted > 0 || kind === 'restore' || kind === 'other');
  }

  /** The newest version down from `at` that may have done it, as its manifest says. */
  async #nextChange(at: PinnedRef, mayHave: (deleted: number, kind: string) => boolean): Promise<Changed> {
    const { branch, version } = at;
    const page = await this.#log.versionsBelow(branch, version + 1, versionsAtOnce, this.#context);
    const { versions } = page;
    this.#budget.manifests -= Math.max(1, versions.length);
    const found = versions.find(
      ({ rows, kind }) => kind !== 'index' && kind !== 'compaction' && mayHave(rows.deleted, kind),
    );
    if (found) return { at: { branch, version: found.version } };
    const oldest = versions.at(-1);
    const parent = this.#log.headOf(branch)?.parent;
    if (page.isComplete && !parent)
      return { at, end: (oldest?.version ?? version) > 1 ? 'cleaned-up' : 'begin' };
    const below = page.isComplete || !oldest ? parent : { branch, version: oldest.version - 1 };
    const stored = below ? await this.#log.storedAt(below, this.#context) : null;
    return stored ? { at: stored, end: null } : { at, end: 'cleaned-up' };
  }

  /** The version itself while it is stored, else where the walk stands: the row is the same there. */
  async #afterOf(at: PinnedRef, changed: PinnedRef): Promise<PinnedRef> {
    if (changed.branch === at.branch && changed.version >= at.version) return at;
    const { exists } = await this.#ports.reader.hasVersion(
      { table: this.#row.table, ref: changed },
      this.#context,
    );
    return exists ? changed : at;
  }

  #read({
    before,
    after,
    stamp,
  }: Pick<Reading, 'before' | 'after'> & { stamp: RowStamp | null }): Promise<RowStep> {
    this.#budget.reads -= 1;
    const { table, key, rowId, column, hasStableRowIds } = this.#row;
    const byId = stamp?.rowId ?? (key === null ? rowId : null);
    const row = byId !== null && (hasStableRowIds || key === null) ? { rowId: byId } : { key };
    const input = { table, before, after, row, isOneLine: true, ...(column ? { column } : {}) };
    return this.#ports.trace.rowStep(input, this.#context);
  }

  async #event({ read, step, branch, before, after, isGap }: Reading): Promise<RowEvent | null> {
    const change = changeOf(read, before !== null || step.from < 1);
    if (!change || (change === 'modified' && read.cells.length === 0)) return null;
    if (this.#row.column && read.cells.length === 0) return null;
    const { edit, version } = step;
    const facts = edit ?? (await this.#foreign(branch, version));
    return {
      ref: { branch, version },
      change,
      at: facts?.at ?? null,
      author: edit?.author ?? null,
      message: edit?.message ?? null,
      kind: facts?.kind ?? 'other',
      editId: edit?.id ?? null,
      review: edit && reviewOf(edit),
      mergedFrom: edit?.mergedFrom ?? null,
      before: read.before && before && { ref: before, rowId: read.before.rowId },
      after: read.after && { ref: after, rowId: read.after.rowId },
      cells: read.cells,
      moreCells: read.moreCells,
      settled: [],
      note: isGap
        ? `Versions between ${before?.version} and ${version} were cleaned up: the change was made in one of them or in ${version}.`
        : change === 'unknown'
          ? 'The versions before were cleaned up, so the value before is not known.'
          : null,
      origin: [],
    };
  }

  async #foreign(branch: string, version: number): Promise<{ at: string; kind: string } | null> {
    const { versions } = await this.#log.versionsBelow(branch, version + 1, 1, this.#context);
    return versions[0]?.version === version ? versions[0] : null;
  }
}

/** The version that changed the row; with `end`, none was found down to `at`: `null` where one may lie below. */
type Changed = { at: PinnedRef } | { at: PinnedRef; end: 'begin' | 'cleaned-up' | null; clear?: number };

export const isSameRef = (a: PinnedRef, b: PinnedRef): boolean =>
  a.branch === b.branch && a.version === b.version;

function changeOf({ before, after }: RowStep, isBeforeKnown: boolean): RowEvent['change'] | null {
  if (before && after) return 'modified';
  if (after) return isBeforeKnown ? 'added' : 'unknown';
  return before ? 'removed' : null;
}
