import { formatRef, type PinnedRef } from '#shared/domain/ref.ts';
import type { CallContext } from '../../../ports/call.ts';
import type { DiffInput } from '../../../ports/table-diff.ts';
import type { LanceHome } from '../connect.ts';
import { readPinnedKey } from '../pinned-key.ts';
import { type Comparison, compareSides } from './comparison.ts';
import { type Kinship, planSchema, readKinship } from './plan-schema.ts';
import { openSide, type Side } from './side.ts';
import { createChangedFields, createTrust } from './trust-versions.ts';

interface Kept {
  work: Promise<Comparison>;
  controller: AbortController;
  waiting: number;
  isDone: boolean;
}

const maxKept = 12;
const maxKeptRows = 4_000_000;

/**
 * Comparisons of pinned refs, made once and kept for a while: the summary, every page of the rows and the merge come from
 * the same one. Who goes away ends the work only when nobody else waits for it.
 */
export class Comparisons {
  #home: LanceHome;
  #kept = new Map<string, Kept>();

  constructor(home: LanceHome) {
    this.#home = home;
  }

  async get(input: DiffInput, { signal }: CallContext): Promise<Comparison> {
    signal.throwIfAborted();
    const name = await this.#nameOf(input);
    let kept = this.#kept.get(name);
    if (kept) this.#kept.delete(name);
    else kept = this.#start(name, input);
    this.#kept.set(name, kept);
    return this.#wait(name, kept, signal);
  }

  async #nameOf({ table, base, from, into }: DiffInput): Promise<string> {
    const refs = [base ?? into, from, into];
    const keys = await Promise.all(refs.map((ref) => readPinnedKey(this.#home, { table, ref })));
    return [table, base === null ? 'two-way' : 'three-way', ...keys].join(' ');
  }

  #start(name: string, input: DiffInput): Kept {
    const controller = new AbortController();
    const kept: Kept = {
      work: makeComparison(this.#home, input, controller.signal),
      controller,
      waiting: 0,
      isDone: false,
    };
    kept.work.then(
      () => {
        kept.isDone = true;
        void this.#trim();
      },
      () => this.#drop(name, kept),
    );
    return kept;
  }

  async #wait(name: string, kept: Kept, signal: AbortSignal): Promise<Comparison> {
    kept.waiting += 1;
    const leave = () => {
      kept.waiting -= 1;
      if (kept.waiting > 0 || kept.isDone) return;
      this.#drop(name, kept);
      kept.controller.abort();
    };
    try {
      return await new Promise<Comparison>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        kept.work.then(resolve, reject);
      });
    } finally {
      leave();
    }
  }

  #drop(name: string, kept: Kept): void {
    if (this.#kept.get(name) === kept) this.#kept.delete(name);
  }

  async #trim(): Promise<void> {
    let rows = 0;
    for (const [name, kept] of [...this.#kept].reverse()) {
      if (!kept.isDone) continue;
      rows += (await kept.work).three.count;
      const isNewest = name === [...this.#kept.keys()].at(-1);
      if (!isNewest && (rows > maxKeptRows || this.#kept.size > maxKept)) this.#drop(name, kept);
    }
  }
}

async function makeComparison(home: LanceHome, input: DiffInput, signal: AbortSignal): Promise<Comparison> {
  const opened = new Map<string, Promise<Side>>();
  const open = (ref: PinnedRef): Promise<Side> => {
    const name = formatRef(ref);
    const side = opened.get(name) ?? openSide(home, input.table, ref);
    opened.set(name, side);
    return side;
  };
  const [base, from, into] = await Promise.all([
    open(input.base ?? input.into),
    open(input.from),
    open(input.into),
  ]);
  const kin = new Map<string, Promise<Kinship>>();
  const kinOf = (a: Side, b: Side): Promise<Kinship> => {
    const name = `${formatRef(a.ref)}...${formatRef(b.ref)}`;
    const known = kin.get(name) ?? readKinship(home, a, b);
    kin.set(name, known);
    return known;
  };
  const [fromKin, intoKin] = await Promise.all([kinOf(base, from), kinOf(base, into)]);
  const schema = planSchema({ base, from, into, fromKin, intoKin });
  return compareSides({
    base,
    from,
    into,
    ...schema,
    isTwoWay: input.base === null,
    fromKin,
    intoKin,
    kinOf,
    trustOf: (a, b) => {
      let trust: Promise<Awaited<ReturnType<ReturnType<typeof createTrust>>>> | null = null;
      return () => {
        trust ??= kinOf(a, b).then(({ lineage }) => createTrust(home, a, b, lineage)());
        return trust;
      };
    },
    changedFieldsOf: (a, b) => async () => {
      const { lineage } = await kinOf(a, b);
      return createChangedFields(home, a, b, lineage)();
    },
    signal,
  });
}
