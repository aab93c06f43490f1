import type { editsApi } from '#shared/api/edits.ts';
import type { Ports } from '../../ports/index.ts';
import type { Principal } from '../../usecases/authorize.ts';
import { editTable } from '../../usecases/edit-table.ts';
import { restoreBranch } from '../../usecases/restore-branch.ts';
import { undoEdit } from '../../usecases/undo-edit.ts';
import type { Handlers } from '../handler.ts';

type EditRoutes = Pick<typeof editsApi, 'edit' | 'undo' | 'restore'>;

export function editRoutes(ports: Ports, { name: author }: Principal): Handlers<EditRoutes> {
  return {
    edit: ({ params, body, signal }) =>
      editTable(ports, { table: params.table, ...body, author }, { signal }),
    undo: ({ params, body, signal }) => undoEdit(ports, { table: params.table, ...body, author }, { signal }),
    restore: ({ params, body, signal }) =>
      restoreBranch(ports, { table: params.table, ...body, author }, { signal }),
  };
}
