import { join } from 'node:path';
import type { PinnedRef } from '#shared/domain/ref.ts';
import { createLanceParts, createLanceReader, type LanceReader } from '../adapters/lance/table-reader.ts';
import { type RowsAsJson, readRowsAsJson } from '../arrow/rows-as-json.ts';
import type { CallContext } from '../ports/call.ts';
import type { RowsInput } from '../ports/table-reader.ts';
import { makeTestHome, type TestHome } from './tables.ts';

export interface TestReader {
  home: TestHome;
  reader: LanceReader;
  context: CallContext;
  cache: string;
  /** Rows as JSON, at the ref given or at the newest version of main. */
  rows(input: Omit<RowsInput, 'ref'> & { ref?: PinnedRef }): Promise<RowsAsJson>;
  head(table: string, branch?: string): Promise<PinnedRef>;
}

/** The reader in this process, over a home of its own or another's. */
export async function makeTestReader(shared?: TestHome): Promise<TestReader> {
  const home = shared ?? (await makeTestHome());
  const cache = join(home.path, '.cache');
  const reader = createLanceReader(createLanceParts({ home, cache }));
  const context: CallContext = { signal: new AbortController().signal };
  const head = async (table: string, branch = 'main'): Promise<PinnedRef> => {
    const { branches } = await reader.readHeads({ table }, context);
    return { branch, version: branches.find(({ name }) => name === branch)!.version };
  };
  return {
    home,
    reader,
    context,
    cache,
    head,
    async rows(input) {
      const { chunks } = await reader.rows(
        { ...input, ref: input.ref ?? (await head(input.table)) },
        context,
      );
      return readRowsAsJson(chunks, context.signal);
    },
  };
}
