import { randomUUID } from 'node:crypto';
import { ImportBody, ImportOptions, type jobsApi, type Upload } from '#shared/api/jobs.ts';
import { AppError } from '#shared/api/problem.ts';
import type { Ports } from '../../ports/index.ts';
import { assertFreeName, importFromBody, startImport } from '../../usecases/import-table.ts';
import { listTrash, purgeTable, restoreTable, trashTable } from '../../usecases/trash-table.ts';
import type { HandlerRequest, Handlers } from '../handler.ts';
import { maxBodyBytes } from '../mount.ts';
import { isMultipart, readForm } from '../read-form.ts';
import { readJson } from '../read-json.ts';

type ImportRoutes = Pick<
  typeof jobsApi,
  'importTable' | 'uploadFiles' | 'trashTable' | 'listTrash' | 'restoreTable' | 'purgeTable'
>;

interface ImportForm {
  name: string | null;
  key: string[];
  options: ImportOptions;
  files: number;
}

function parseOptions(text: string): ImportOptions {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new AppError({ code: 'BAD_REQUEST', message: 'The field options is not JSON.', cause: error });
  }
  const parsed = ImportOptions.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => ({
    path: `options.${issue.path.join('.')}`,
    message: issue.message,
  }));
  throw new AppError({
    code: 'BAD_REQUEST',
    message: `The field options is not as the contract says: ${issues[0]?.message}.`,
    hint: 'The contract is at /api/docs.',
    issues,
  });
}

const missing = (what: string): AppError =>
  new AppError({
    code: 'BAD_REQUEST',
    message: `The form has no ${what}.`,
    hint: 'Send the field name first, then the files as parts named file.',
  });

/** Keeps the files of a form as they come; its name is checked before they travel, where it stands first. */
async function importFromForm(
  ports: Ports,
  { request, principal, signal }: HandlerRequest<(typeof jobsApi)['importTable']>,
) {
  const group = randomUUID();
  const form: ImportForm = { name: null, key: [], options: {}, files: 0 };
  try {
    await readForm(
      request,
      {
        async onField(field, value) {
          if (field === 'name') {
            form.name = value;
            await assertFreeName(ports, value, { signal });
          } else if (field === 'key') form.key.push(...value.split(',').map((part) => part.trim()));
          else if (field === 'options') form.options = parseOptions(value);
        },
        async onFile(_field, name, stream) {
          form.files += 1;
          await ports.files.keepUpload({ group, name, stream }, signal);
        },
      },
      signal,
    );
    if (form.name === null) throw missing('field name');
    if (form.files === 0) throw missing('file');
    const source = await ports.files.groupSource(group);
    return startImport(ports, {
      name: form.name,
      key: form.key,
      options: form.options,
      sources: [source],
      principal,
      onEnd: () => ports.files.removeGroup(group),
    });
  } catch (error) {
    await ports.files.removeGroup(group);
    throw error;
  }
}

async function keepUploads(
  ports: Ports,
  { request, signal }: HandlerRequest<(typeof jobsApi)['uploadFiles']>,
): Promise<Upload[]> {
  const group = randomUUID();
  const uploads: Upload[] = [];
  try {
    await readForm(
      request,
      {
        onField: () => undefined,
        async onFile(_field, name, stream) {
          uploads.push(await ports.files.keepUpload({ group, name, stream }, signal));
        },
      },
      signal,
    );
    if (uploads.length === 0) throw missing('file');
    return uploads;
  } catch (error) {
    await ports.files.removeGroup(group);
    throw error;
  }
}

/** Import by JSON or form, uploads, and the trash. */
export function importRoutes(ports: Ports): Handlers<ImportRoutes> {
  return {
    importTable: async (request) => {
      const { request: message, principal, signal } = request;
      const job = isMultipart(message)
        ? await importFromForm(ports, request)
        : await importFromBody(ports, await readJson(message, ImportBody, maxBodyBytes), principal, {
            signal,
          });
      return { job: { id: job.id } };
    },
    uploadFiles: async (request) => ({ uploads: await keepUploads(ports, request) }),
    trashTable: ({ params, signal }) => trashTable(ports, params.table, { signal }),
    listTrash: async ({ signal }) => ({ tables: await listTrash(ports, { signal }) }),
    restoreTable: ({ params }) => restoreTable(ports, params.table),
    purgeTable: ({ params, signal }) => purgeTable(ports, params.table, { signal }),
  };
}
