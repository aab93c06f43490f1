import { describe, expect, it } from 'vitest';
import { settingsOf, workingFolder } from './connect.ts';
import { choiceOf, parseCommand, textsOf } from './parse-command.ts';
import { formatBytes, formatColumns } from './print.ts';
import { importBodyOf } from './verbs/import.ts';

const parse = (line: string) => parseCommand(line.split(' ').filter((part) => part !== ''))!;

describe('parseCommand', () => {
  it('asks for help without a verb', () => {
    expect([parseCommand([]), parseCommand(['--help']), parseCommand(['help'])]).toEqual([null, null, null]);
    expect(parse('help merge')).toMatchObject({ verb: 'merge', values: { help: true } });
  });

  it('reads options before and after the verb', () => {
    expect(parse('--json import a.csv --table t --key a --key b')).toMatchObject({
      verb: 'import',
      positionals: ['a.csv'],
      values: { json: true, table: 't', key: ['a', 'b'] },
    });
    expect(textsOf(parse('sql x --ref t=exp'), 'ref')).toEqual(['t=exp']);
  });

  it.each([
    ['--json', 'There is no verb.'],
    ['fly', 'There is no verb “fly”'],
    ['tables --tabel x', "Unknown option '--tabel'"],
    ['merge t exp --take', "Option '--take <value>' argument missing"],
  ])('refuses %s', (line, message) => {
    expect(() => parse(line)).toThrow(message);
  });

  it('takes only the words that an option has', () => {
    expect(() => choiceOf(parse('export t --format xml'), 'format', ['csv'])).toThrow(
      '--format is one of csv, not “xml”.',
    );
  });
});

describe('importBodyOf', () => {
  it('makes paths absolute, leaves addresses alone, and splits keys', () => {
    expect(
      importBodyOf(
        parse('import a.csv ../b*.csv https://x.org/c.csv --table t --key id,day --header no --null NA'),
        '/data/in',
      ),
    ).toEqual({
      name: 't',
      key: ['id', 'day'],
      options: { hasHeader: false, nulls: ['NA'] },
      sources: [{ path: '/data/in/a.csv' }, { path: '/data/b*.csv' }, { url: 'https://x.org/c.csv' }],
    });
  });

  it.each([
    ['import a.csv', '--table NAME'],
    ['import --table t', 'needs a path'],
  ])('refuses %s', (line, message) => {
    expect(() => importBodyOf(parse(line), '/')).toThrow(message);
  });
});

describe('settingsOf', () => {
  it('puts options before the environment', () => {
    const env = { CURIO_HOME: '/env', PORT: '5000', CURIO_OPEN: '0' };
    expect(settingsOf(parse('serve --port 0 --demo=0 --home /flag'), env)).toMatchObject({
      home: '/flag',
      state: '/flag/.curio',
      port: 0,
      hasDemo: false,
      opensBrowser: false,
      memoryBytes: 2 ** 31,
    });
    expect(settingsOf(parse('tables'), env)).toMatchObject({ home: '/env', port: 5000 });
  });

  it('takes folders from where the person is, also under npm', () => {
    const env = { npm_lifecycle_event: 'curio', INIT_CWD: '/person' };
    expect(settingsOf(parse('serve --home tables'), env).home).toBe('/person/tables');
    expect(workingFolder({ npm_lifecycle_event: 'test', INIT_CWD: '/person' })).toBe(process.cwd());
  });
});

describe('printing', () => {
  it('aligns columns, numbers at the right', () => {
    expect(
      formatColumns(
        ['name', 'n'],
        [
          ['ä', '10'],
          ['long', '5'],
        ],
        (column) => column === 1,
      ),
    ).toBe('name   n\n────  ──\nä     10\nlong   5');
  });

  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1_000, '1.0 kB'],
    [5_765_552, '5.8 MB'],
    [123_456_789, '123 MB'],
  ])('writes %d bytes as %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});
