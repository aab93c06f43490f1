import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ImportOptions } from '#shared/api/jobs.ts';
import { listFiles } from './list-files.ts';
import { planSources } from './plan-sources.ts';

const never = new AbortController().signal;
const png = Buffer.from('89504e470d0a1a0a0000', 'hex');
const parquet = Buffer.from('PAR1....');
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'curio-sources-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function put(files: Record<string, string | Uint8Array>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
}

async function plan(names: string[], options: ImportOptions = {}) {
  const found = await listFiles(
    names.map((name) => ({ path: join(folder, name), label: name })),
    never,
  );
  const made = await planSources(found, options, never);
  return {
    kind: made.kind,
    files: made.files.map(({ relative }) => relative),
    notices: made.notices,
    ...(made.kind === 'tables'
      ? { format: made.format }
      : { metadata: made.metadata?.file.relative ?? null }),
  };
}

const failure = (names: string[], options?: ImportOptions) =>
  plan(names, options).then(
    () => 'no error',
    (error) => `${error.code} ${error.message}`,
  );

describe('listFiles and planSources', () => {
  it('goes by the bytes before the name', async () => {
    await put({
      'rows.csv': parquet,
      'a.txt': '{"a":1}\n',
      'b.dat.csv': 'a,b\n1,2\n',
      noname: 'a\tb\n1\t2\n',
    });
    expect(await plan(['rows.csv'])).toMatchObject({ kind: 'tables', format: 'parquet' });
    expect(await plan(['a.txt'])).toMatchObject({ kind: 'tables', format: 'ndjson' });
    expect(await plan(['b.dat.csv'])).toMatchObject({ kind: 'tables', format: 'csv' });
    expect(await plan(['noname'])).toMatchObject({ kind: 'tables', format: 'tsv' });
  });

  it('takes a folder of shards as one table, in the order in which people count', async () => {
    await put({
      'd/part-10.parquet': parquet,
      'd/part-2.parquet': parquet,
      'd/README.md': 'Read me.',
      'd/.hidden.parquet': parquet,
    });
    expect(await plan(['d'])).toEqual({
      kind: 'tables',
      format: 'parquet',
      files: ['part-2.parquet', 'part-10.parquet'],
      notices: ['Left out, as they hold no rows: README.md.'],
    });
  });

  it('takes a folder of media with its metadata file, leaves the rest out, and tells', async () => {
    await put({
      'm/a.png': png,
      'm/deep/b.png': png,
      'm/broken.jpg': Buffer.from([1, 2, 3]),
      'm/metadata.csv': 'file,x\na.png,1\n',
      'm/LICENSE': 'text',
      'm/.git/c.png': png,
      'm/Thumbs.db': 'x',
    });
    expect(await plan(['m'])).toEqual({
      kind: 'media',
      files: ['a.png', 'broken.jpg', 'deep/b.png'],
      metadata: 'metadata.csv',
      notices: ['One file is no media and was left out: LICENSE.'],
    });
    expect(await plan(['m'], { metadata: 'metadata.csv', format: 'folder' })).toMatchObject({
      files: ['a.png', 'broken.jpg', 'deep/b.png', 'LICENSE'],
      metadata: 'metadata.csv',
    });
    expect(await failure(['m'], { metadata: 'nope.csv' })).toBe(
      'NOT_FOUND The metadata file nope.csv is not in the folder.',
    );
  });

  it('takes single pictures by their place below their common folder', async () => {
    await put({ 'x/1.png': png, 'y/1.png': png });
    expect(await plan(['x/1.png', 'y/1.png'])).toMatchObject({
      kind: 'media',
      files: ['x/1.png', 'y/1.png'],
    });
    expect(await plan(['x/1.png'])).toMatchObject({ kind: 'media', files: ['1.png'] });
  });

  it('follows links inside a folder once, and none that leads out of it', async () => {
    await put({ 'outside.png': png, 'm/a.png': png, 'm/sub/b.png': png });
    await symlink(join(folder, 'outside.png'), join(folder, 'm/leak.png'));
    await symlink(join(folder, 'm/a.png'), join(folder, 'm/again.png'));
    await symlink(join(folder, 'm'), join(folder, 'm/sub/around'));
    await symlink(join(folder, 'nowhere'), join(folder, 'm/dangling.png'));
    expect(await plan(['m'])).toMatchObject({
      files: ['a.png', 'again.png', 'sub/b.png'],
      notices: ['dangling.png, leak.png: links that lead out of the folder were left out.'],
    });
  });

  it('refuses what does not go together, naming the file', async () => {
    await put({
      'a.csv': 'a\n1\n',
      'b.json': '[{"a":1}]',
      'a.parquet': 'a,b\n',
      'z.zip': Buffer.from('PK\x03\x04....'),
      'e/x': '',
      'empty.csv': '',
    });
    await mkdir(join(folder, 'nothing'));
    await mkdir(join(folder, 't.lance/_versions'), { recursive: true });
    expect(await failure(['t.lance'])).toBe('INVALID_FILE t.lance is a Lance table already.');
    expect(await failure(['a.csv', 'b.json'])).toBe('INVALID_FILE b.json is JSON, but a.csv is CSV.');
    expect(await failure(['a.parquet'])).toBe(
      'INVALID_FILE a.parquet: the file is no Parquet file; it is text.',
    );
    expect(await failure(['z.zip'])).toBe(
      'INVALID_FILE z.zip: the file is a ZIP archive (as Excel files are, too), which holds no rows that Curio can read.',
    );
    expect(await failure(['nothing'])).toBe('INVALID_FILE nothing has no files.');
    expect(await failure(['missing'])).toBe('NOT_FOUND missing does not exist on the server.');
    expect(await failure(['e'])).toBe('INVALID_FILE e/x: the file is empty.');
    expect(await failure(['a.csv'], { format: 'folder' })).toBe(
      'INVALID_FILE The folder has no pictures, videos or sounds.',
    );
  });

  it('refuses what is no file', async () => {
    const facts = await listFiles([{ path: '/dev/null', label: 'null' }], never).catch(
      (error) => `${error.code} ${error.message}`,
    );
    expect(facts).toBe('INVALID_FILE null is neither a file nor a folder.');
  });
});

/** Root reads everything, so the work is done as somebody else. */
async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

describe('what may not be read', () => {
  it('a folder below the one that was named is named', async () => {
    await put({ 'pictures/a.png': png, 'pictures/locked/b.png': png });
    await chmod(folder, 0o755);
    await chmod(join(folder, 'pictures/locked'), 0o000);
    await expect(asNobody(() => plan(['pictures']))).rejects.toMatchObject({
      code: 'INVALID_FILE',
      message: 'pictures/locked: Curio may not read the folder.',
    });
    await chmod(join(folder, 'pictures/locked'), 0o755);
  });
});
