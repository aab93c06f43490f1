import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MediaFacts } from '#shared/api/annotations.ts';
import { JobInfo } from '#shared/api/jobs.ts';
import { stillLife, terrain, torus, writePly, writeStl } from '../../testing/model-files.ts';
import { makeTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let folder = '';

beforeAll(async () => {
  server = await makeTestServer();
  folder = await mkdtemp(join(tmpdir(), 'curio-models-'));
  await mkdir(join(folder, 'rings'));
  await writeFile(join(folder, 'rings', 'ring.stl'), writeStl(torus()));
  await writeFile(join(folder, 'hills.ply'), writePly(terrain(50)));
  await writeFile(join(folder, 'table.glb'), (await stillLife()).glb());
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

test('a folder of models becomes a column of media, whose cells tell what they are', async () => {
  const started = await server.post('/api/v1/tables', { name: 'shapes', sources: [{ path: folder }] });
  const { job } = (await started.json()) as { job: { id: string } };
  const events = await (await server.get(`/api/v1/jobs/${job.id}/events`)).text();
  const last = JobInfo.parse(
    JSON.parse(
      events
        .trim()
        .split('\n\n')
        .at(-1)!
        .replace(/^data: /, ''),
    ),
  );
  expect(last).toMatchObject({ state: 'done', result: { rows: 3, notices: [] } });

  const rows = (await (await server.post('/api/v1/tables/shapes/rows?format=json', {})).json()) as {
    rows: { path: string; kind: string; media: { kind: string; contentType: string } }[];
  };
  expect(rows.rows.map(({ path, kind, media }) => [path, kind, media.kind, media.contentType])).toEqual([
    ['hills.ply', 'model', 'model', 'model/ply'],
    ['rings/ring.stl', 'model', 'model', 'model/stl'],
    ['table.glb', 'model', 'model', 'model/gltf-binary'],
  ]);

  const facts = MediaFacts.parse(
    await (await server.get('/api/v1/tables/shapes/media-facts/media/0')).json(),
  );
  expect(facts.facts).toEqual(
    expect.arrayContaining([
      { name: 'points', value: '2\u202f500' },
      { name: 'extent', value: expect.stringMatching(/^392 × 392 × /) },
    ]),
  );
  const blob = await server.get('/api/v1/tables/shapes/blobs/media/2');
  expect([blob.headers.get('content-disposition'), blob.headers.get('x-content-type-options')]).toEqual([
    'attachment',
    'nosniff',
  ]);
  await blob.arrayBuffer();
});
