// @vitest-environment jsdom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { int32, tableFromArrays, tableToIPC, utf8 } from '@uwdata/flechette';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { AppError, abortedError, formatProblem } from '#shared/api/problem.ts';
import type { SqlPlan } from '#shared/api/sql.ts';
import { wire } from '#shared/api/wire.ts';
import { type FakeServer, fakeServer } from '../../../testing/fake-server.ts';
import { fakeBranch, fakeDetail, fakeSession, fakeTable } from '../../../testing/fixtures.ts';
import { preparePage, renderPage } from '../../../testing/render-page.tsx';
import { explainStore } from '../explain.ts';
import { runStore } from '../runs.ts';
import { activeTab, closeTab, sqlStore } from '../store.ts';
import { SqlPage } from './sql-page.tsx';

const engine = vi.hoisted(() => ({
  run: vi.fn(),
  residentBytesOf: () => 0,
  warm: () => {},
  state: null as unknown,
}));

vi.mock('../../../engine/index.ts', async () => ({
  getBrowserEngine: () => engine,
  isOnlyForServer: (error: unknown) => (error as AppError).code === 'UNSUPPORTED',
  memoryLimitBytes: 1_600_000_000,
}));

vi.mock('./sql-editor.tsx', async () => {
  const { useImperativeHandle } = await import('react');
  return {
    default: ({
      value,
      onChange,
      ref,
      problems,
    }: {
      value: string;
      onChange: (sql: string) => void;
      ref: never;
      problems: { error: AppError }[];
    }) => {
      useImperativeHandle(ref, () => ({
        insert: (text: string) => onChange(`${value}${text}`),
        goTo() {},
        focus() {},
      }));
      return (
        <textarea
          aria-label="SQL statement"
          aria-invalid={problems.length > 0}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      );
    },
  };
});

const bytesOf = (names: string[], metadata?: Map<string, string>): Uint8Array => {
  const table = tableFromArrays(
    { n: names.map((_name, at) => at), title: names },
    { types: { n: int32(), title: utf8() } },
  );
  if (metadata) table.schema.metadata = metadata;
  return tableToIPC(table, { format: 'stream' }) as Uint8Array;
};

const plan = (more: Partial<SqlPlan> = {}): SqlPlan => ({
  tables: [
    {
      name: 'wonders',
      table: 'wonders',
      ref: { branch: 'main', version: 5 },
      key: 'k',
      columns: ['title'],
      rows: 3,
      bytes: 1000,
      limit: null,
      schema: [],
    },
  ],
  bytes: 1000,
  engine: 'browser',
  reason: 'it fits',
  serverOnlyBecause: null,
  total: null,
  columns: [],
  ...more,
});

let server: FakeServer;
let page: ReturnType<typeof renderPage>;

function open(path = '/sql', answers: Parameters<typeof fakeServer>[0] = {}) {
  server = fakeServer({
    session: () =>
      fakeSession({ tables: [fakeTable('wonders', { branches: [fakeBranch('main', { version: 5 })] })] }),
    describeTable: () => fakeDetail('main'),
    checkSql: () => ({ plan: plan(), problem: null }),
    ...answers,
  });
  page = renderPage(<SqlPage />, path);
}

const region = () => within(screen.getByRole('region', { name: 'SQL' }));
/** The plain field that stands in for the editor may be gone by the time it is found: what was written must be there. */
const write = (sql: string) =>
  waitFor(() => {
    const field = region().getByRole('textbox', { name: 'SQL statement' });
    fireEvent.change(field, { target: { value: sql } });
    expect(activeTab(sqlStore.getState()).sql).toBe(sql);
  });
const press = (name: string) => fireEvent.click(region().getByRole('button', { name }));
const status = () => region().getByRole('status', { name: 'Statement' }).textContent;

beforeEach(() => {
  preparePage();
  engine.state = createStore(() => ({ phase: 'ready', loadedBytes: 0, totalBytes: null }));
  engine.run
    .mockReset()
    .mockResolvedValue({ bytes: bytesOf(['drum', 'cave']), rows: 2, isCut: false, elapsedMs: 12 });
});
afterEach(() => {
  page.close();
  for (const { id } of sqlStore.getState().tabs) closeTab(id);
  sqlStore.setState({ history: [] });
  explainStore.setState({ explained: {}, shown: {} });
  runStore.setState({ runs: {} });
});

describe('running', () => {
  test('in the browser: rows in the grid, and a status that names engine, rows, time and why', async () => {
    open();
    await write('select title from wonders');
    press('Run');
    const grid = await region().findByRole('grid', { name: 'Rows' });
    expect(grid.getAttribute('aria-rowcount')).toBe('2');
    expect(grid.textContent).toContain('drum');
    await waitFor(() =>
      expect(status()).toMatch(/2 rows.*in the browser.*12 ms.*wonders@main:5.*small enough to fetch/),
    );
    expect(server.callsOf('runSql')).toHaveLength(0);
    await waitFor(() => expect(location.search).toContain('q=select'));
  });

  test('on the server: over the refs of the plan', async () => {
    open('/sql', {
      checkSql: () => ({
        plan: plan({ serverOnlyBecause: 'JSON runs on the server only', engine: 'server' }),
        problem: null,
      }),
      runSql: () =>
        bytesOf(
          ['drum'],
          new Map([
            [wire.scope, 'all'],
            [wire.total, '1'],
            [wire.engine, 'duckdb'],
            [wire.elapsedMs, '3'],
          ]),
        ),
    });
    await write('select title as s from wonders');
    press('Run');
    await waitFor(() => expect(status()).toMatch(/1 row.*on the server.*JSON runs on the server only/));
    expect(server.callsOf('runSql')[0]?.body).toMatchObject({
      sql: 'select title as s from wonders',
      refs: { wonders: 'main:5' },
    });
    expect(engine.run).not.toHaveBeenCalled();
  });

  test('an error stands as an alert with its hint and place', async () => {
    const error = new AppError({
      code: 'SQL_BIND',
      message: 'There is no column “titel”.',
      hint: 'Did you mean “title”?',
      at: { line: 1, column: 8 },
    });
    open('/sql', { checkSql: () => ({ plan: null, problem: formatProblem(error) }) });
    await write('select titel from wonders');
    press('Run');
    const alert = await region().findByRole('alert');
    expect(alert.textContent).toMatch(/Line 1, column 8.*There is no column “titel”.*Did you mean “title”/);
    expect(region().getByRole('textbox').getAttribute('aria-invalid')).toBe('true');
    expect(region().queryByRole('grid')).toBeNull();
  });

  test('Cancel ends it and says so; the rows before stay', async () => {
    open();
    await write('select title from wonders');
    press('Run');
    await region().findByRole('grid', { name: 'Rows' });
    let signal: AbortSignal | undefined;
    engine.run.mockImplementation(
      (input: { signal: AbortSignal; onProgress: (progress: object) => void }) => {
        signal = input.signal;
        input.onProgress({ phase: 'fetching', doneBytes: 500, totalBytes: 1000 });
        return new Promise((_resolve, reject) =>
          input.signal.addEventListener('abort', () => reject(abortedError())),
        );
      },
    );
    press('Run');
    const bar = await region().findByRole('progressbar', { name: 'Fetching columns' });
    expect(bar.getAttribute('aria-valuenow')).toBe('500');
    press('Cancel');
    await waitFor(() => expect(region().queryByRole('progressbar')).toBeNull());
    expect(signal?.aborted).toBe(true);
    expect(region().queryByRole('alert')).toBeNull();
    expect(region().getByRole('grid', { name: 'Rows' }).textContent).toContain('drum');
  });

  test('a result over the limit says how many there are', async () => {
    open('/sql', { checkSql: () => ({ plan: plan({ total: 3_000_000 }), problem: null }) });
    engine.run.mockResolvedValue({ bytes: bytesOf(['drum', 'cave']), rows: 2, isCut: true, elapsedMs: 1 });
    await write('select title as t from wonders');
    press('Run');
    await waitFor(() => expect(status()).toMatch(/First 2 of 3.000.000 rows/));
  });
});

describe('the workbench', () => {
  test('a link opens its statement with its refs; they can be taken away', async () => {
    open('/sql?q=select+1&ref=wonders%40main%3A2');
    await waitFor(() => expect(region().getByRole<HTMLTextAreaElement>('textbox').value).toBe('select 1'));
    fireEvent.click(region().getByRole('button', { name: 'Remove wonders at main:2' }));
    press('Run');
    await waitFor(() =>
      expect(server.callsOf('checkSql').at(-1)?.body).toMatchObject({ sql: 'select 1', refs: {} }),
    );
  });

  test('empty, it teaches with statements that run at a click', async () => {
    open();
    const samples = within(await region().findByRole('list', { name: 'Statements to begin with' }));
    fireEvent.click(samples.getByRole('button', { name: /The first rows of wonders/ }));
    await region().findByRole('grid', { name: 'Rows' });
    expect(region().getByRole<HTMLTextAreaElement>('textbox').value).toContain('FROM wonders');
  });

  test('the tree writes names into the statement', async () => {
    open();
    await write('select ');
    expect(
      (await region().findByRole('button', { name: 'Columns of wonders' })).getAttribute('aria-expanded'),
    ).toBe('true');
    const columns = within(await region().findByRole('list', { name: 'Columns of wonders' }));
    const [first] = columns.getAllByRole('button');
    fireEvent.click(first as HTMLElement);
    expect(region().getByRole<HTMLTextAreaElement>('textbox').value).toMatch(/^select \w+/);
  });

  test('without a statement Run does nothing', async () => {
    open();
    await region().findByRole('textbox');
    expect(region().getByRole('button', { name: 'Run' }).getAttribute('aria-disabled')).toBe('true');
    press('Run');
    expect(server.callsOf('checkSql')).toHaveLength(0);
  });

  test('an address of a saved query that is not there says so', async () => {
    server = fakeServer({
      session: () => fakeSession(),
      getQuery: () => {
        throw new AppError({ code: 'GONE', message: 'The query “x” has been deleted.', hint: 'Restore it.' });
      },
    });
    page = renderPage(<SqlPage queryId="x" />, '/q/x');
    await screen.findByText('The query “x” has been deleted.');
    expect(screen.getByText('Restore it.')).toBeTruthy();
  });
});

describe('cells and parameters', () => {
  const sentTo = () => engine.run.mock.calls.map(([input]) => String(input.sql).replaceAll('\n', ' '));

  test('a cell reads an earlier one by name, with values in place of parameters', async () => {
    open(`/sql?q=${encodeURIComponent('-- %% big\nselect $n as n\n-- %% sum\nselect sum(n) from big')}`);
    const field = await region().findByRole('textbox', { name: '$n' });
    fireEvent.change(field, { target: { value: '3' } });
    fireEvent.click(region().getByRole('button', { name: 'Run cell sum' }));
    await waitFor(() =>
      expect(sentTo()).toEqual(['WITH "big" AS (select (3) as n ) select sum(n) from big']),
    );
    await within(region().getByRole('listitem', { name: 'Cell sum' })).findByRole('grid', { name: 'Rows' });
    expect(within(region().getByRole('listitem', { name: 'Cell big' })).queryByRole('grid')).toBeNull();
  });

  test('a value that is not of its type is told at its field and when it runs', async () => {
    open(`/sql?q=${encodeURIComponent('select $n')}`);
    const field = await region().findByRole('textbox', { name: '$n' });
    fireEvent.change(field, { target: { value: 'many' } });
    expect((await region().findByRole('alert')).textContent).toContain('“many” is not a number');
    press('Run');
    await waitFor(() => expect(status()).toContain('The parameter $n'));
    expect(engine.run).not.toHaveBeenCalled();
  });

  test('a version that is gone offers the latest', async () => {
    const gone = new AppError({
      code: 'GONE',
      message: 'The version main:2 has been cleaned up.',
      hint: 'Open main:5.',
    });
    open('/sql?q=select+title+from+wonders&ref=wonders%40main%3A2', {
      checkSql: ({ body }) =>
        Object.keys(body.refs).length > 0
          ? { plan: null, problem: formatProblem(gone) }
          : { plan: plan(), problem: null },
    });
    await region().findByRole('textbox');
    press('Run');
    fireEvent.click(await region().findByRole('button', { name: 'Run on the latest' }));
    await region().findByRole('grid', { name: 'Rows' });
  });
});
