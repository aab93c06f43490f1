import * as z from 'zod';
import { PinnedRef } from '#shared/domain/ref.ts';
import { incarnationOf } from '../incarnation.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import type { EditRecord } from '../ports/studio-store.ts';
import type { BranchHead, StoredVersion, TableHeads } from '../ports/table-reader.ts';

/** A version of history: what one sealed edit made of several Lance versions, or one version of another program. */
export interface LoggedStep {
  /** The version as people see it. */
  version: number;
  /** The one before it, by number; it may lie on the branch that this one was forked from. */
  from: number;
  edit: EditRecord | null;
}

const ReviewDetail = z.object({ review: z.string() });
const RestoreDetail = z.object({ ref: PinnedRef });
const SourceDetail = z.object({ fromCreatedAt: z.string() });

/** The review that an edit was merged by, as its record says. */
export function reviewOf({ detail }: Pick<EditRecord, 'detail'>): string | null {
  const parsed = ReviewDetail.safeParse(detail);
  return parsed.success ? parsed.data.review : null;
}

/** What a restore went back to. */
export function restoredTo({ kind, detail }: Pick<EditRecord, 'kind' | 'detail'>): PinnedRef | null {
  const parsed = RestoreDetail.safeParse(detail);
  return kind === 'restore' && parsed.success ? parsed.data.ref : null;
}

/** The branch that was merged, if it is still the one that it was then. */
export function sourceHead(
  { mergedFrom, detail }: Pick<EditRecord, 'mergedFrom' | 'detail'>,
  { branches }: TableHeads,
): BranchHead | null {
  const head = branches.find(({ name }) => name === mergedFrom?.branch);
  const parsed = SourceDetail.safeParse(detail);
  const isOther = parsed.success && (head?.createdAt ?? '') !== parsed.data.fromCreatedAt;
  return head && !isOther ? head : null;
}

/** The edit log and the stored versions of the branches of one table. */
export class VersionLog {
  #ports: Pick<Ports, 'reader' | 'store'>;
  #table: string;
  #heads: TableHeads;

  constructor(ports: Pick<Ports, 'reader' | 'store'>, table: string, heads: TableHeads) {
    this.#ports = ports;
    this.#table = table;
    this.#heads = heads;
  }

  headOf(branch: string): BranchHead | undefined {
    return this.#heads.branches.find(({ name }) => name === branch);
  }

  /** Tells a branch of the table from others that had their names. */
  incarnationOf(branch: string): string {
    return incarnationOf(this.#heads.uuid, this.headOf(branch)?.createdAt ?? null);
  }

  /** Edits that end after `above` and begin before `below`, newest first. */
  edits(branch: string, range: { above?: number; below?: number; limit?: number } = {}): EditRecord[] {
    return this.#ports.store.listEdits({
      tableUuid: this.#heads.uuid,
      branch,
      branchCreatedAt: this.headOf(branch)?.createdAt ?? '',
      ...range,
    });
  }

  /** The step of history that a Lance version of a branch is in. */
  stepAt(branch: string, version: number): LoggedStep {
    const [edit] = this.edits(branch, { below: version, above: version - 1, limit: 1 });
    return edit
      ? { version: edit.toVersion, from: edit.fromVersion, edit }
      : { version, from: version - 1, edit: null };
  }

  /** Where a version of a branch lies: on the branch itself, or on the one that it was forked from. */
  placeOf({ branch, version }: PinnedRef): PinnedRef {
    let place = { branch, version };
    for (let parent = this.headOf(branch)?.parent; parent && version <= parent.version; ) {
      place = { branch: parent.branch, version };
      parent = this.headOf(parent.branch)?.parent;
    }
    return place;
  }

  /** The newest stored version of the line at or below a ref; `null` when all were cleaned up. */
  async storedAt(ref: PinnedRef, context: CallContext): Promise<PinnedRef | null> {
    for (let place = this.placeOf(ref); place.version >= 1; ) {
      const { reader } = this.#ports;
      const { exists } = await reader.hasVersion({ table: this.#table, ref: place }, context);
      if (exists) return place;
      const stored = await this.versionsBelow(place.branch, place.version, 1, context);
      const [newest] = stored.versions;
      if (newest) return { branch: place.branch, version: newest.version };
      const parent = this.headOf(place.branch)?.parent;
      if (!parent) return null;
      place = this.placeOf(parent);
    }
    return null;
  }

  /** Stored versions of a branch, newest first, without the one that it was forked at. */
  async versionsBelow(
    branch: string,
    before: number,
    limit: number,
    context: CallContext,
  ): Promise<{ versions: StoredVersion[]; isComplete: boolean }> {
    return this.#ports.reader.versions({ table: this.#table, branch, before, limit }, context);
  }
}
