import type { TableWriter } from '../../ports/table-writer.ts';
import { createBranch, deleteBranch } from './branches.ts';
import type { LanceHome } from './connect.ts';
import { setFacts } from './facts.ts';
import { createIndex, dropIndex } from './indexes.ts';
import { createTag, deleteTag } from './tags.ts';

type TableCare = Pick<
  TableWriter,
  'createBranch' | 'deleteBranch' | 'createTag' | 'deleteTag' | 'createIndex' | 'dropIndex' | 'setFacts'
>;

/** The part of the writer that changes no rows: branches, tags, indexes, and what is said of columns. */
export const createLanceTableCare = (home: LanceHome): TableCare => ({
  createBranch: (input, context) => createBranch(home, input, context),
  deleteBranch: (input, context) => deleteBranch(home, input, context),
  createTag: (input, context) => createTag(home, input, context),
  deleteTag: (input, context) => deleteTag(home, input, context),
  createIndex: (input, context) => createIndex(home, input, context),
  dropIndex: (input, context) => dropIndex(home, input, context),
  setFacts: (input, context) => setFacts(home, input, context),
});
