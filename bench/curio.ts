import { join } from 'node:path';
import { openHome } from '../server/adapters/lance/connect.ts';
import { createTableDiff } from '../server/adapters/lance/diff/index.ts';
import { createLanceTableCare } from '../server/adapters/lance/table-care.ts';
import { createLanceParts, createLanceReader } from '../server/adapters/lance/table-reader.ts';
import { createLanceRowWriter } from '../server/adapters/lance/table-writer.ts';
import { openStudioStore } from '../server/adapters/sqlite/studio-store.ts';
import type { TableReader } from '../server/ports/table-reader.ts';
import { mergeBranches } from '../server/usecases/merge-branches.ts';
import type { DiffSummary, MergeResult } from '../shared/api/edits.ts';
import type { PinnedRef } from '../shared/domain/ref.ts';

const context = { signal: new AbortController().signal };

/** Curio's engine in this process, as the server composes it, with its journal. */
export interface BenchCurio {
  /** A comparison from the beginning: nothing of earlier ones is kept. */
  diff(input: { table: string; base: PinnedRef; from: PinnedRef }): Promise<DiffSummary>;
  /** The whole merge: refs, base, plan, journal, commits, record. */
  merge(table: string, from: string, into: string): Promise<MergeResult>;
  createBranch(table: string, name: string): Promise<void>;
  head(table: string, branch: string): Promise<PinnedRef>;
  close(): void;
}

export async function openCurio(path: string): Promise<BenchCurio> {
  const home = await openHome(path);
  const parts = createLanceParts({ home, cache: join(path, '.cache') });
  const reader = createLanceReader(parts) as TableReader;
  const store = openStudioStore(join(path, 'studio.db'));
  const writer = { ...createLanceRowWriter(home), ...createLanceTableCare(home) };
  const newDiff = () => createTableDiff({ home, tables: parts.tables });
  const head = async (table: string, branch: string): Promise<PinnedRef> => {
    const { branches } = await reader.readHeads({ table }, context);
    return { branch, version: branches.find(({ name }) => name === branch)!.version };
  };
  return {
    head,
    diff: ({ table, base, from }) => newDiff().summarize({ table, base, from, into: base }, context),
    merge: (table, from, into) =>
      mergeBranches(
        { reader, writer, store, diff: newDiff(), now: () => new Date() },
        { table, from, into, author: 'bench' },
        context,
      ),
    createBranch: async (table, name) =>
      writer.createBranch({ table, name, from: await head(table, 'main') }, context),
    close: () => store.close(),
  };
}
