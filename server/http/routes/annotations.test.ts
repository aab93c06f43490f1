import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CropResult, MediaFacts } from '#shared/api/annotations.ts';
import { JobInfo } from '#shared/api/jobs.ts';
import { Problem } from '#shared/api/problem.ts';
import { TableDetail } from '#shared/api/tables.ts';
import type { AnnotationLayout } from '#shared/domain/annotations/layout.ts';
import { makeTable, tinyPng } from '../../testing/tables.ts';
import { makeTestServer, type TestServer } from '../../testing/test-server.ts';

const layout: AnnotationLayout = {
  column: 'objects',
  many: 'list',
  unit: 'pixel',
  geometry: [{ kind: 'box', fields: ['bbox'], form: 'xywh' }],
  label: 'category',
  score: 'score',
};

let server: TestServer;

/** Left half red, right half blue. */
const halves = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#f00' } }).composite([
    {
      input: { create: { width: width / 2, height, channels: 3, background: '#00f' } },
      left: width / 2,
      top: 0,
    },
  ]);

beforeAll(async () => {
  server = await makeTestServer();
  const picture = await halves(80, 40).png().toBuffer();
  const photo = await halves(80, 40)
    .withExif({ IFD0: { Make: 'Acme', Model: 'One' }, IFD2: { FNumber: '28/10', ExposureTime: '1/250' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const blobs = [picture, photo, Buffer.from('no picture'), picture];
  await makeTable(server.home, 'scenes', {
    id: { type: 'utf8', values: ['a', 'b', 'c', 'd'], metadata: { 'curio:key': '1' } },
    image: {
      type: 'blob',
      values: blobs.map((data) => ({ data, uri: null })),
      metadata: { 'curio:role': 'image' },
    },
    objects: {
      type: 'list<struct<bbox: list<float64>, category: utf8, score: float64>>',
      values: [
        [
          { bbox: [0, 0, 20, 10], category: 'red', score: 0.9 },
          { bbox: [60, 20, 40, 40], category: 'blue', score: 0.4 },
          { bbox: [500, 500, 5, 5], category: 'outside', score: 1 },
        ],
        [{ bbox: [0, 0, 40, 40], category: 'red', score: null }],
        [{ bbox: [0, 0, 4, 4], category: 'red', score: 1 }],
        [],
      ],
    },
  });
});
afterAll(() => server.close());

const facts = async (address: string) => {
  const response = await server.get(`/api/v1/tables/scenes/media-facts/${address}`);
  return { response, body: (await response.json()) as unknown };
};

async function runCrops(body: Record<string, unknown>): Promise<JobInfo> {
  const response = await server.post('/api/v1/tables/scenes/crops', { media: 'image', layout, ...body });
  expect(response.status).toBe(202);
  const { job } = (await response.json()) as { job: { id: string } };
  let last: JobInfo | null = null;
  for await (const state of server.ports.jobs.follow(job.id, new AbortController().signal))
    last = JobInfo.parse(state);
  return last!;
}

const rowsOf = async (table: string, ref = 'main'): Promise<Record<string, unknown>[]> => {
  const response = await server.post(`/api/v1/tables/${table}/rows?format=json`, { ref });
  return ((await response.json()) as { rows: Record<string, unknown>[] }).rows;
};

const cropPixels = async (table: string, column: string, rowId: unknown, ref = 'main') => {
  const response = await server.get(`/api/v1/tables/${table}/blobs/${column}/${rowId}?ref=${ref}`);
  const { data, info } = await sharp(Buffer.from(await response.arrayBuffer()))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { size: [info.width, info.height], first: [...data.subarray(0, 3)] };
};

describe('facts of media', () => {
  test('a picture tells its size upright, and what its EXIF says', async () => {
    const { body } = await facts('image/1?ref=main:1');
    const { width, height, contentType, facts: told } = MediaFacts.parse(body);
    expect([width, height, contentType]).toEqual([40, 80, 'image/jpeg']);
    expect(Object.fromEntries(told.map(({ name, value }) => [name, value]))).toMatchObject({
      camera: 'Acme One',
      aperture: 'f/2.8',
      exposure: '1/250 s',
      orientation: expect.stringContaining('6'),
    });
  });

  test('facts of a pinned ref may be kept for ever, those of a branch may not', async () => {
    const cache = async (ref: string) =>
      (await facts(`image/0?ref=${ref}`)).response.headers.get('cache-control') ?? '';
    expect([
      (await cache('main:1')).includes('immutable'),
      (await cache('main')).includes('immutable'),
    ]).toEqual([true, false]);
  });

  test('bytes that are no picture have a size only', async () => {
    const { body } = await facts('image/2');
    expect(MediaFacts.parse(body)).toMatchObject({ width: null, facts: [], sizeBytes: 10 });
  });

  test('a row that is not there is not found', async () => {
    const { response, body } = await facts('image/99');
    expect([response.status, Problem.parse(body).code]).toEqual([404, 'NOT_FOUND']);
  });
});

describe('crops', () => {
  test('become a table of their own, with class, score and where they are from; what failed is told', async () => {
    const job = await runCrops({ rows: { all: true }, into: { table: 'pieces' } });
    expect([job.state, CropResult.parse(job.result)]).toEqual([
      'done',
      expect.objectContaining({
        table: 'pieces',
        rows: 3,
        sourceRows: 4,
        failedRows: 1,
        leftOut: [],
        notices: [expect.stringContaining('1 of the 4 rows')],
      }),
    ]);
    const rows = await rowsOf('pieces');
    expect(
      rows.map(({ label, score, source_key, source_ref, annotation_index }) => [
        label,
        score,
        source_key,
        source_ref,
        Number(annotation_index),
      ]),
    ).toEqual([
      ['red', 0.9, 'a', 'main:1', 0],
      ['blue', 0.4, 'a', 'main:1', 1],
      ['red', null, 'b', 'main:1', 0],
    ]);
    expect(await cropPixels('pieces', 'crop', rows[0]!._rowid)).toEqual({
      size: [20, 10],
      first: [255, 0, 0],
    });
    expect(await cropPixels('pieces', 'crop', rows[1]!._rowid)).toEqual({
      size: [20, 20],
      first: [0, 0, 255],
    });
    expect((await cropPixels('pieces', 'crop', rows[2]!._rowid)).size).toEqual([40, 40]);
    const detail = TableDetail.parse(await (await server.get('/api/v1/tables/pieces')).json());
    expect(detail.columns.find(({ name }) => name === 'crop')).toMatchObject({ role: 'image', type: 'blob' });
    const again = await server.post('/api/v1/tables/scenes/crops', {
      media: 'image',
      layout,
      rows: { all: true },
      into: { table: 'pieces' },
    });
    expect(Problem.parse(await again.json()).code).toBe('EXISTS');
  });

  test('of some classes, scores and rows become rows of a branch, as one step that can be undone', async () => {
    await server.post('/api/v1/tables/scenes/branches', { name: 'more' });
    const job = await runCrops({
      rows: { where: "id = 'a'" },
      labels: ['blue', 'outside'],
      exceptLabels: ['red'],
      minScore: 0.3,
      padding: 0.5,
      into: { table: 'scenes', branch: 'more' },
    });
    const result = CropResult.parse(job.result);
    expect(result).toMatchObject({ branch: 'more', rows: 1, failedRows: 0 });
    expect(result.leftOut).toContain('label');
    const added = (await rowsOf('scenes', 'more')).find(({ id }) => id === 'a#objects-1');
    expect((await cropPixels('scenes', 'image', added!._rowid, 'more')).size).toEqual([40, 40]);
    const undone = await server.post('/api/v1/tables/scenes/undo', { branch: 'more', editId: result.editId });
    expect([undone.status, (await rowsOf('scenes', 'more')).length]).toEqual([200, 4]);
  });

  test('do not go to a protected branch or to a table that takes no pictures', async () => {
    const refuse = async (into: Record<string, string>) => {
      const response = await server.post('/api/v1/tables/scenes/crops', {
        media: 'image',
        layout,
        rows: { all: true },
        into,
      });
      return Problem.parse(await response.json()).code;
    };
    await makeTable(server.home, 'words', {
      id: { type: 'int64', values: [1n], metadata: { 'curio:key': '1' } },
    });
    await server.post('/api/v1/tables/words/branches', { name: 'b' });
    expect([
      await refuse({ table: 'scenes', branch: 'main' }),
      await refuse({ table: 'words', branch: 'b' }),
      await refuse({ table: 'none', branch: 'b' }),
      await refuse({ table: 'bad name!' }),
    ]).toEqual(['PROTECTED_BRANCH', 'UNSUPPORTED', 'NOT_FOUND', 'BAD_REQUEST']);
  });

  test('where nothing passes say so and leave nothing behind', async () => {
    const job = await runCrops({ rows: { all: true }, labels: ['nobody'], into: { table: 'nothing' } });
    expect([job.state, job.error?.code]).toEqual(['failed', 'UNSUPPORTED']);
    expect((await server.get('/api/v1/tables/nothing')).status).toBe(404);
  });

  test('turned boxes are cut upright', async () => {
    await makeTable(server.home, 'ships', {
      id: { type: 'utf8', values: ['s'], metadata: { 'curio:key': '1' } },
      image: {
        type: 'blob',
        values: [{ data: await halves(80, 40).png().toBuffer(), uri: null }],
        metadata: { 'curio:role': 'image' },
      },
      obb: { type: 'list<list<float64>>', values: [[[60, 20, 30, 10, 90]]] },
    });
    const response = await server.post('/api/v1/tables/ships/crops', {
      media: 'image',
      layout: {
        column: 'obb',
        many: 'columns',
        unit: 'pixel',
        geometry: [{ kind: 'rotated', fields: ['obb'], angle: 'degrees' }],
      },
      rows: { all: true },
      into: { table: 'ship-crops' },
    });
    const { job } = (await response.json()) as { job: { id: string } };
    for await (const state of server.ports.jobs.follow(job.id, new AbortController().signal))
      if (state.state !== 'running' && state.state !== 'queued') expect(state.state).toBe('done');
    const [row] = await rowsOf('ship-crops');
    expect(await cropPixels('ship-crops', 'crop', row!._rowid)).toEqual({
      size: [30, 10],
      first: [0, 0, 255],
    });
  });
});

test('how a column is read is kept in its metadata, where every other tool sees it', async () => {
  await makeTable(server.home, 'noted', {
    id: { type: 'int64', values: [1n], metadata: { 'curio:key': '1' } },
    image: { type: 'blob', values: [{ data: tinyPng, uri: null }] },
    marks: { type: 'list<float64>', values: [[1, 2, 3, 4]] },
  });
  const told: AnnotationLayout = {
    column: 'marks',
    many: 'row',
    unit: 'share',
    geometry: [{ kind: 'box', fields: ['marks'], form: 'cxcywh' }],
    classes: ['cat'],
  };
  const patch = (annotations: unknown) =>
    server.get('/api/v1/tables/noted', {
      method: 'PATCH',
      body: JSON.stringify({ columns: { marks: { role: 'box', annotations } } }),
      headers: { 'Content-Type': 'application/json' },
    });
  const columnOf = async (response: Response) =>
    TableDetail.parse(await response.json()).columns.find(({ name }) => name === 'marks');
  expect(await columnOf(await patch(told))).toMatchObject({ role: 'box', annotations: told });
  const stored = await server.home.connection.openTable('noted');
  const field = (await stored.schema()).fields.find(({ name }) => name === 'marks');
  expect(JSON.parse(field?.metadata.get('curio:annotations') ?? '')).toEqual(told);
  expect(await columnOf(await patch(null))).not.toHaveProperty('annotations');
  expect((await patch({ column: 1 })).status).toBe(400);
});
