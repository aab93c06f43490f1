import type { Result } from './harness.ts';
import { comparePairs, createRandom } from './harness.ts';
import { readIpcBytes } from './lance-peer.ts';
import { benchPageWeight } from './page-weight.ts';
import { openConnection, readRaw, startBenchServer } from './server.ts';
import { connectBench, makeWideTable } from './tables.ts';

const million = 1_000_000;
const pageRows = 100;
/** LanceDB is fastest with it; its default of 1,024 would flatter us. */
const scanBatchRows = 8192;

const expectStatus = (status: number): void => {
  if (status !== 200) throw new Error(`The server answered ${status}.`);
};

/** First page and whole stream of a table of 1 M rows, at the HTTP socket, against LanceDB in this process. */
export async function benchRows(home: string): Promise<Result[]> {
  await makeWideTable(home, 'wide', { rows: million, columns: 12, hasText: true });
  await makeWideTable(home, 'numbers', { rows: million, columns: 8, hasText: false });
  const server = await startBenchServer(home);
  const db = await connectBench(home);
  const connection = await openConnection(server.port);
  try {
    const readPage = async (offset: number) => {
      const startedAt = performance.now();
      const { status } = await readRaw(server.port, '/api/v1/tables/wide/rows', {
        ref: 'main',
        offset,
        limit: pageRows,
      });
      expectStatus(status);
      return performance.now() - startedAt;
    };
    const takePage = async (offset: number) => {
      const startedAt = performance.now();
      const table = await db.openTable('wide');
      const offsets = Array.from({ length: pageRows }, (_none, i) => offset + i);
      await readIpcBytes(table.takeOffsets(offsets).withRowId(), pageRows);
      return performance.now() - startedAt;
    };
    const firstPage = await comparePairs(
      {
        name: 'first page, 1 M rows × 12 columns',
        unit: 'ms over HTTP / ms of LanceDB in process',
        limit: 2,
        direction: 'atMost',
      },
      { ours: () => readPage(0), peer: () => takePage(0), pairs: 101 },
    );
    const jump = await comparePairs(
      {
        name: 'page at row 900,000',
        unit: 'ms over HTTP / ms of LanceDB in process',
        limit: 2,
        direction: 'atMost',
      },
      { ours: () => readPage(900_000), peer: () => takePage(900_000), pairs: 101 },
    );
    const numbers = await db.openTable('numbers');
    const random = createRandom(3);
    const somewhere = () => Math.floor(random() * (million - pageRows));
    const keptJump = await comparePairs(
      {
        name: 'jump to a random row, 1 M rows × 8 numeric columns, over a kept connection',
        unit: 'ms over HTTP / ms of takeOffsets in process, table open',
        limit: 1.5,
        direction: 'atMost',
      },
      {
        ours: async () => {
          const startedAt = performance.now();
          const body = { ref: 'main', offset: somewhere(), limit: pageRows };
          expectStatus(await connection.post('/api/v1/tables/numbers/rows', body));
          return performance.now() - startedAt;
        },
        peer: async () => {
          const first = somewhere();
          const startedAt = performance.now();
          const offsets = Array.from({ length: pageRows }, (_none, i) => first + i);
          await readIpcBytes(numbers.takeOffsets(offsets).withRowId(), pageRows);
          return performance.now() - startedAt;
        },
        pairs: 101,
      },
    );
    const streamRate = async () => {
      const startedAt = performance.now();
      const { bytes, status } = await readRaw(server.port, '/api/v1/tables/numbers/rows', { ref: 'main' });
      expectStatus(status);
      return bytes / 1e3 / (performance.now() - startedAt);
    };
    const scanRate = async () => {
      const startedAt = performance.now();
      const table = await db.openTable('numbers');
      const bytes = await readIpcBytes(table.query().withRowId(), scanBatchRows);
      return bytes / 1e3 / (performance.now() - startedAt);
    };
    const stream = await comparePairs(
      {
        name: '/rows, 1 M rows × 8 numeric columns',
        unit: 'MB/s over HTTP / MB/s of LanceDB’s scan to IPC bytes',
        limit: 0.7,
        direction: 'atLeast',
      },
      { ours: streamRate, peer: scanRate, pairs: 11 },
    );
    return [...(await benchPageWeight(server.port, 'wide')), firstPage, jump, keptJump, stream];
  } finally {
    connection.close();
    await server.stop();
  }
}
