import type { GraphVersion } from '#shared/api/history.ts';
import type { CallContext } from '../ports/call.ts';
import type { EditRecord } from '../ports/studio-store.ts';
import type { BranchHead, StoredVersion, TableHeads } from '../ports/table-reader.ts';
import { restoredTo, reviewOf, sourceHead, type VersionLog } from './version-log.ts';

/** The steps of one branch, newest first, read in pages as they are taken. */
export class GraphStream {
  readonly branch: string;
  #head: BranchHead;
  #heads: TableHeads;
  #log: VersionLog;
  #pageSize: number;
  /** From the edit log alone: versions of other programs are left out, and no manifest is read. */
  #isLogOnly: boolean;
  #before: number;
  #buffer: GraphVersion[] = [];
  #isRead = false;
  #newestAt: number;

  constructor({
    head,
    heads,
    log,
    before,
    pageSize,
    isLogOnly,
  }: {
    head: BranchHead;
    heads: TableHeads;
    log: VersionLog;
    /** Where it goes on, exclusive; the head when it has not been begun. */
    before: number | undefined;
    pageSize: number;
    isLogOnly: boolean;
  }) {
    this.branch = head.name;
    this.#head = head;
    this.#heads = heads;
    this.#log = log;
    this.#pageSize = pageSize;
    this.#isLogOnly = isLogOnly;
    this.#before = Math.min(before ?? Number.POSITIVE_INFINITY, head.version + 1);
    this.#newestAt = Date.parse(head.updatedAt);
    if (this.#before <= this.#first) this.#isRead = true;
  }

  /** The first version of its own. */
  get #first(): number {
    return (this.#head.parent?.version ?? 0) + 1;
  }

  get isDone(): boolean {
    return this.#isRead && this.#buffer.length === 0;
  }

  /** Of the next step, or a time that it is not later than while it is not read. */
  get at(): number {
    const [next] = this.#buffer;
    return next ? Date.parse(next.at) : this.#newestAt;
  }

  get isBuffered(): boolean {
    return this.#buffer.length > 0;
  }

  /** The next step stays; the one after it is there too, so that the parent is known. */
  async fill(context: CallContext): Promise<void> {
    while (this.#buffer.length < 2 && !this.#isRead) await this.#readPage(context);
  }

  async take(context: CallContext): Promise<GraphVersion | null> {
    await this.fill(context);
    const step = this.#buffer.shift();
    if (!step) return null;
    const [older] = this.#buffer;
    if (step.parent) return step;
    return { ...step, parent: older ? { branch: older.branch, version: older.version } : this.#head.parent };
  }

  async #readPage(context: CallContext): Promise<void> {
    if (this.#isLogOnly) this.#readLog();
    else await this.#readStored(context);
  }

  #readLog(): void {
    const edits = this.#log.edits(this.branch, { below: this.#before, limit: this.#pageSize });
    this.#before = Math.min(this.#before, edits.at(-1)?.fromVersion ?? 0);
    if (edits.length < this.#pageSize || this.#before < this.#first) this.#isRead = true;
    const sealed = edits.filter(({ toVersion }) => toVersion <= this.#head.version);
    for (const edit of sealed) {
      const parent = this.#log.placeOf({ branch: this.branch, version: edit.fromVersion });
      this.#buffer.push({ ...this.#toStep(null, edit), parent });
    }
  }

  async #readStored(context: CallContext): Promise<void> {
    const page = await this.#log.versionsBelow(this.branch, this.#before, this.#pageSize, context);
    const lowest = page.versions.at(-1)?.version ?? 0;
    const edits =
      page.versions.length === 0
        ? []
        : this.#log.edits(this.branch, { above: lowest - 1, below: this.#before });
    const byVersion = new Map(edits.map((edit) => [edit.toVersion, edit]));
    const isInside = (version: number): boolean =>
      edits.some(({ fromVersion, toVersion }) => fromVersion < version && version < toVersion);
    for (const stored of page.versions)
      if (byVersion.has(stored.version) || !isInside(stored.version))
        this.#buffer.push(this.#toStep(stored, byVersion.get(stored.version)));
    this.#before = lowest;
    if (page.isComplete || page.versions.length === 0) this.#isRead = true;
  }

  #toStep(stored: StoredVersion | null, edit: EditRecord | undefined): GraphVersion {
    return {
      version: stored?.version ?? edit?.toVersion ?? 0,
      branch: this.branch,
      at: stored?.at ?? edit?.at ?? '',
      author: edit?.author ?? null,
      message: edit?.message ?? null,
      kind: edit?.kind ?? stored?.kind ?? 'other',
      rows: edit?.changed ?? stored?.rows ?? { inserted: 0, updated: 0, deleted: 0 },
      editId: edit?.id ?? null,
      mergedFrom: edit?.mergedFrom ?? null,
      parent: null,
      isSourceThere: edit ? sourceHead(edit, this.#heads) !== null : false,
      restoredTo: edit ? restoredTo(edit) : null,
      undoes: edit?.undoes ?? null,
      review: edit ? reviewOf(edit) : null,
    };
  }
}
