import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { CropBody, CropResult } from '#shared/api/annotations.ts';
import type { ImportColumn, JobInfo } from '#shared/api/jobs.ts';
import { AppError, abortedError } from '#shared/api/problem.ts';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import { hiddenKeyColumn } from '#shared/domain/names.ts';
import { didYouMean } from '#shared/domain/near-names.ts';
import { formatRef, mainBranch } from '#shared/domain/ref.ts';
import type { CallContext } from '../../ports/call.ts';
import type { Ports } from '../../ports/index.ts';
import type { JobSpec } from '../../ports/jobs.ts';
import type { Principal } from '../authorize.ts';
import { compileWhere } from '../compile-where.ts';
import { editTable, resolveWritable } from '../edit-table.ts';
import { assertFreeName, startImport } from '../import-table.ts';
import { resolveRef } from '../resolve-ref.ts';
import { withTableTurn } from '../table-turns.ts';
import { type CutProgress, type CutRequest, cutCrops, type MadeCrop } from './cut-crops.ts';

/** One edit carries them all, so that one undo takes them back. */
const maxEditBytes = 48 * 1024 * 1024;
const maxCrops = 100_000;
const cropColumn = 'crop';

type JobContext = Parameters<JobSpec['run']>[0];

/** Starts a job that cuts annotations out of pictures, into a new table or as rows of a branch that may change. */
export async function exportCrops(
  ports: Ports,
  { table, body, principal }: { table: string; body: CropBody; principal: Principal },
  context: CallContext,
): Promise<JobInfo> {
  const { pinned } = await resolveRef(ports, table, body.ref, context);
  const { columns, key } = await ports.reader.describe(pinned, context);
  const known = columns.map(({ name }) => name);
  for (const name of [body.media, body.layout.column])
    if (!known.includes(name))
      throw new AppError({
        code: 'BAD_REQUEST',
        message: `The table ${table} has no column “${name}”.`,
        hint: didYouMean(name, known),
      });
  if ('where' in body.rows) await compileWhere(ports, pinned, body.rows.where, context);
  const request: CutRequest = { table, ref: formatRef(pinned.ref), key, body };
  const { into } = body;
  if (into.branch === undefined) await assertFreeName(ports, into.table, context);
  const target = into.branch === undefined ? null : await openTarget(ports, into.table, into.branch, context);
  return ports.jobs.start({
    kind: 'crops',
    title: `Crops of ${body.layout.column} in ${table}`,
    run: (job) =>
      target
        ? intoBranch(ports, { request, target, author: principal.name }, job)
        : intoNewTable(ports, { request, principal }, job),
  });
}

interface CropTarget {
  table: string;
  branch: string;
  /** The picture column that takes the crops. */
  picture: string;
  columns: readonly string[];
  /** A declared key of text, which crops get a value for; `null` where Curio gives the key. */
  keyColumn: string | null;
}

/** Throws PROTECTED_BRANCH, NOT_FOUND, and UNSUPPORTED where the table has no column for pictures. */
async function openTarget(
  ports: Ports,
  table: string,
  branch: string,
  context: CallContext,
): Promise<CropTarget> {
  const { head } = await withTableTurn(table, context.signal, () =>
    resolveWritable(ports, { table, branch }, context),
  );
  const { columns, key } = await ports.reader.describe({ table, ref: head }, context);
  const pictures = columns.filter(({ role, type }) => role === 'image' && type === 'blob');
  const picture = pictures.find(({ name }) => name === cropColumn) ?? pictures[0];
  if (!picture)
    throw new AppError({
      code: 'UNSUPPORTED',
      message: `${table} has no column of pictures that could take the crops.`,
      hint: 'Name a table that does not exist yet: it gets the columns that crops need.',
    });
  const names = columns.map(({ name }) => name);
  return {
    table,
    branch,
    picture: picture.name,
    columns: names,
    keyColumn: keyColumnOf(table, key, columns),
  };
}

/** Throws UNSUPPORTED for keys that nothing can be made up for. */
function keyColumnOf(table: string, key: readonly string[], columns: readonly ColumnInfo[]): string | null {
  const [name, ...others] = key;
  if (name === undefined || name === hiddenKeyColumn) return null;
  if (others.length === 0 && columns.find((column) => column.name === name)?.type === 'utf8') return name;
  throw new AppError({
    code: 'UNSUPPORTED',
    message: `Crops cannot be added to ${table}: nothing gives them a value of its key ${key.join(', ')}.`,
    hint: 'Name a table that does not exist yet, or one whose key is a text or Curio’s own.',
  });
}

const tell = (job: JobContext, { rows, total }: CutProgress, crops: number): void =>
  job.onProgress({ done: rows, total, unit: 'rows', message: `${crops} crops cut` });

function resultOf(
  { rows: sourceRows, failedRows, firstFailure }: CutProgress,
  into: Pick<CropResult, 'table' | 'branch' | 'rows' | 'leftOut' | 'editId'>,
): CropResult {
  const notices = [
    ...(failedRows > 0
      ? [
          `The pictures of ${failedRows} of the ${sourceRows} rows could not be cut. The first: ${firstFailure}`,
        ]
      : []),
    ...(into.leftOut.length > 0
      ? [`${into.table} has no columns for these facts of the crops: ${into.leftOut.join(', ')}.`]
      : []),
  ];
  return { ...into, sourceRows, failedRows, firstFailure, notices };
}

const nothingCut = ({ firstFailure, rows }: CutProgress): AppError =>
  new AppError({
    code: 'UNSUPPORTED',
    message: `There is nothing to cut: no annotation of the ${rows} rows lies in its picture and passes the filter.`,
    hint: firstFailure ?? 'Take classes or scores that the rows have, or look at how the column is read.',
  });

async function intoBranch(
  ports: Ports,
  { request, target, author }: { request: CutRequest; target: CropTarget; author: string },
  job: JobContext,
): Promise<CropResult> {
  const rows: Record<string, unknown>[] = [];
  let bytes = 0;
  let last: CutProgress = { rows: 0, total: 0, failedRows: 0, firstFailure: null };
  for await (const { crops, progress } of cutCrops(ports, request, job)) {
    for (const made of crops) {
      bytes += made.crop.bytes.byteLength;
      if (bytes > maxEditBytes)
        throw new AppError({
          code: 'TOO_LARGE',
          message: `The crops are larger than ${maxEditBytes / 1024 ** 2} MB, the most that one step adds to a table.`,
          hint: 'Export them into a new table, or fewer rows at a time.',
        });
      rows.push(rowOf(made, target));
    }
    last = { ...progress };
    tell(job, last, rows.length);
  }
  if (rows.length === 0) throw nothingCut(last);
  const { table, branch } = target;
  const message = `Added ${rows.length} crops of ${request.body.layout.column} from ${request.table}`;
  const { editId } = await editTable(
    ports,
    { table, branch, message, ops: [{ op: 'insert', rows }], author },
    job,
  );
  const facts = [
    'label',
    'score',
    'source_table',
    'source_ref',
    'source_key',
    'annotation_index',
    'x',
    'y',
    'width',
    'height',
  ];
  const leftOut = facts.filter((name) => !target.columns.includes(name));
  return resultOf(last, { table, branch, rows: rows.length, leftOut, editId });
}

function rowOf(
  { crop, facts }: MadeCrop,
  { picture, columns, keyColumn }: CropTarget,
): Record<string, unknown> {
  const known = Object.entries(facts).filter(([name]) => columns.includes(name) && name !== picture);
  const { source_key, annotation_column, annotation_index } = facts;
  return {
    ...Object.fromEntries(known),
    ...(keyColumn === null ? {} : { [keyColumn]: `${source_key}#${annotation_column}-${annotation_index}` }),
    [picture]: { base64: Buffer.from(crop.bytes).toString('base64') },
  };
}

const described: ImportColumn[] = [
  {
    from: 'media',
    name: cropColumn,
    role: 'image',
    description: 'The part of the picture that was annotated.',
  },
  { from: 'label', role: 'label', description: 'The class of the annotation.' },
  { from: 'score', role: 'number', description: 'The score of the annotation.' },
  { from: 'source_table', role: 'label', description: 'The table that the picture is from.' },
  { from: 'source_ref', role: 'label', description: 'The version of the table that was cut.' },
  { from: 'source_key', role: 'text', description: 'The key of the row that the picture is from.' },
  ...['path', 'kind', 'size_bytes', 'content_type'].map((from) => ({ from, drop: true })),
];

const safeName = (label: string | null): string =>
  (label ?? 'crop').replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 40) || 'crop';

async function intoNewTable(
  ports: Ports,
  { request, principal }: { request: CutRequest; principal: Principal },
  job: JobContext,
): Promise<CropResult> {
  const group = randomUUID();
  const keep = (name: string, bytes: Uint8Array | string) =>
    ports.files.keepUpload({ group, name: `crops/${name}`, stream: Readable.from([bytes]) }, job.signal);
  try {
    const lines: string[] = [];
    const has = { label: false, score: false };
    let last: CutProgress = { rows: 0, total: 0, failedRows: 0, firstFailure: null };
    for await (const { crops, progress } of cutCrops(ports, request, job)) {
      for (const { crop, facts } of crops) {
        if (lines.length === maxCrops)
          throw new AppError({
            code: 'TOO_LARGE',
            message: `There are more than ${maxCrops.toLocaleString('en')} crops.`,
            hint: 'Filter the rows, and export them in parts.',
          });
        const ending = crop.contentType === 'image/png' ? 'png' : 'jpg';
        const file_name = `${String(lines.length + 1).padStart(6, '0')}-${safeName(facts.label)}.${ending}`;
        await keep(file_name, crop.bytes);
        has.label ||= facts.label !== null;
        has.score ||= facts.score !== null;
        lines.push(JSON.stringify({ file_name, ...facts }));
      }
      last = { ...progress };
      tell(job, last, lines.length);
    }
    if (lines.length === 0) throw nothingCut(last);
    await keep('metadata.jsonl', `${lines.join('\n')}\n`);
    const table = request.body.into.table;
    await importCrops(ports, { table, group, has, principal, request }, job);
    return resultOf(last, { table, branch: mainBranch, rows: lines.length, leftOut: [], editId: null });
  } finally {
    await ports.files.removeGroup(group);
  }
}

interface CropImport {
  table: string;
  group: string;
  has: { label: boolean; score: boolean };
  principal: Principal;
  request: CutRequest;
}

async function importCrops(
  ports: Ports,
  { table, group, has, principal, request }: CropImport,
  job: JobContext,
): Promise<void> {
  const columns = described.map((column) =>
    (column.from === 'label' && !has.label) || (column.from === 'score' && !has.score)
      ? { from: column.from, drop: true }
      : column,
  );
  const source = await ports.files.groupSource(group);
  const { layout } = request.body;
  const message = `Crops of ${layout.column} from ${request.table} at ${request.ref}`;
  await assertFreeName(ports, table, job);
  const started = startImport(ports, {
    name: table,
    sources: [source],
    options: { columns, description: `${message}.` },
    principal,
    message,
  });
  const cancel = () => ports.jobs.cancel(started.id);
  job.signal.addEventListener('abort', cancel, { once: true });
  try {
    for await (const { state, error } of ports.jobs.follow(started.id, job.signal)) {
      if (state === 'failed' && error)
        throw new AppError({ code: 'UNSUPPORTED', message: error.detail, hint: error.hint });
      if (state === 'cancelled') throw abortedError();
    }
  } finally {
    job.signal.removeEventListener('abort', cancel);
  }
}
