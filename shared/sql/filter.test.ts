import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAppError } from '../api/problem.ts';
import { compileFilter, formatFilter, parseFilter } from './filter.ts';

const columns = Object.entries({
  id: 'int64',
  small: 'uint8',
  big: 'uint64',
  score: 'float64',
  half: 'float16',
  price: 'decimal128(10, 2)',
  name: 'utf8',
  'Up Per': 'utf8',
  ok: 'bool',
  at: 'timestamp[us]',
  seen: 'timestamp[ms, UTC]',
  day: 'date32',
  clock: 'time64[us]',
  took: 'duration[ms]',
  tags: 'list<utf8>',
  box: 'struct<x: int32, "la bel": utf8>',
  boxes: 'list<struct<label: utf8>>',
  vec: 'fixed_size_list<float32>[4]',
  js: 'json',
  picture: 'blob',
  bytes: 'binary',
  date: 'date32',
  kind: 'dictionary<int8, utf8>',
  _key: 'int64',
}).map(([name, type]) => ({ name, type }));

const lance = (text: string): string => compileFilter({ text, columns }).lance;

function refusal(text: string) {
  try {
    compileFilter({ text, columns });
  } catch (error) {
    if (isAppError(error))
      return { code: error.code, message: error.message, hint: error.hint, at: error.at };
    throw error;
  }
  throw new Error(`This was accepted: ${text.slice(0, 80)}`);
}

describe('the filter language', () => {
  it.each([
    ['id = 1', '`id` = 1'],
    ["\"Up Per\" <> 'a''b'", "`Up Per` <> 'a''b'"],
    ["`Up Per` = 'x' and id in (1, 2, null)", "`Up Per` = 'x' and `id` in (1, 2, null)"],
    ['id between 1 and 3 or not ok', '`id` >= 1 and `id` <= 3 or not `ok`'],
    ["at > '2024-03-09'", "`at` > timestamp '2024-03-09T00:00:00Z'"],
    ["seen >= timestamp '2024-03-09 14:05:00+02:00'", "`seen` >= timestamp '2024-03-09T12:05:00Z'"],
    ["date = '2024-3-9'", "`date` = date '2024-03-09'"],
    ['price > 2.5', "`price` > cast('2.5' as decimal(38, 1))"],
    ["clock < '12:00'", "`clock` < arrow_cast('12:00:00', 'Time64(Microsecond)')"],
    ["took > interval '90 seconds'", "`took` > arrow_cast(90000, 'Duration(Millisecond)')"],
    ['half = 0.1', "arrow_cast(`half`, 'Float32') = 0.0999755859375"],
    ['box.x = 1', '`box`.`x` = 1'],
    ["box['la bel'] = 'x'", "`box`.`la bel` = 'x'"],
    ["boxes[1].label = 'cat'", "`boxes`[1]['label'] = 'cat'"],
    ["'a' = any(tags)", "array_has(`tags`, 'a')"],
    ["js->>'a' = 'x'", "json_get_string(`js`, 'a') = 'x'"],
    ["substring(name from 2 for 3) = 'abc'", "`substr`(`name`, 2, 3) = 'abc'"],
    ['extract(year from at) = 2024', "arrow_cast(`date_part`('year', `at`), 'Float64') = 2024.0"],
    ["bytes = x'00FF'", "`bytes` = X'00ff'"],
    ["name like 'a!%%' escape '!'", "`name` like 'a\\%%'"],
    ["name is distinct from 'a'", "coalesce(`name` <> 'a', (`name` is null) <> ('a' is null))"],
    ['_rowid < 10', '`_rowid` < 10'],
    ["kind = 'x'", "`kind` = 'x'"],
  ])('%s', (text, printed) => {
    expect(lance(text)).toBe(printed);
  });

  it.each([
    ['small = 300', '`small` <> `small`'],
    ['small < 300', '`small` = `small`'],
    ['small <> -1', '`small` = `small`'],
    ['id > 1.5', '`id` > 1'],
    ['id <= 1.5', '`id` <= 1'],
    ['id = 1.5', '`id` <> `id`'],
    ['id = 1e3', '`id` = 1000'],
    ['id = 2.0', '`id` = 2'],
    ['1 < id', '`id` > 1'],
    ['small in (1, 300)', '`small` in (1)'],
    ['small in (300)', '`small` <> `small`'],
    ['id = -9223372036854775808', "`id` = arrow_cast('-9223372036854775808', 'Int64')"],
    ['big = 18446744073709551615', '`big` = 18446744073709551615'],
    ["seen = '2024-01-01 00:00:00.0001'", '`seen` <> `seen`'],
    ["seen > '2024-01-01 00:00:00.0001'", "`seen` > timestamp '2024-01-01T00:00:00Z'"],
  ])('keeps the meaning of a number that the column cannot hold: %s', (text, printed) => {
    expect(lance(text)).toBe(printed);
  });

  it('says which columns it reads', () => {
    expect(
      compileFilter({ text: "box.x > 1 and (name = 'a' or lower(\"Up Per\") = 'b') and id > id", columns })
        .columns,
    ).toEqual(['Up Per', 'box', 'id', 'name']);
  });

  it.each([
    ['id = 1; drop table t', 'SQL_SYNTAX', 1, 7],
    ['id = 1 -- x', 'SQL_SYNTAX', 1, 8],
    ['id = 1 /* x */', 'SQL_SYNTAX', 1, 8],
    ['id = 1\n  garbage', 'SQL_SYNTAX', 2, 3],
    ['id = ', 'SQL_SYNTAX', 1, 6],
    ['', 'SQL_SYNTAX', 1, 1],
    ['  \n ', 'SQL_SYNTAX', 1, 1],
    ['(id = 1', 'SQL_SYNTAX', 1, 8],
    ['id = 1)', 'SQL_SYNTAX', 1, 7],
    ["name = 'abc", 'SQL_SYNTAX', 1, 8],
    ['id in ()', 'SQL_SYNTAX', 1, 8],
    ['id in (select 1)', 'SQL_SYNTAX', 1, 8],
    ['1 < id < 3', 'SQL_SYNTAX', 1, 8],
    ['case when id = 1 then true end', 'SQL_SYNTAX', 1, 1],
    ['where id = 1', 'SQL_SYNTAX', 1, 1],
    ['select * from t', 'SQL_SYNTAX', 1, 1],
    ['id = ?', 'SQL_SYNTAX', 1, 6],
    ['name = “x”', 'SQL_SYNTAX', 1, 8],
    ['count(*) > 1', 'SQL_SYNTAX', 1, 1],
    ['id = 1 and nam = 2', 'SQL_BIND', 1, 12],
    ['ID = 1', 'SQL_BIND', 1, 1],
    ["id = 'abc'", 'SQL_BIND', 1, 6],
    ["id in (1, 'abc')", 'SQL_BIND', 1, 11],
    ['name > 5', 'SQL_BIND', 1, 8],
    ['name', 'SQL_BIND', 1, 1],
    ['id + name > 1', 'SQL_BIND', 1, 6],
    ["at > 'yesterday'", 'SQL_BIND', 1, 6],
    ['at > 5', 'SQL_BIND', 1, 6],
    ["day = '2024-02-30'", 'SQL_BIND', 1, 7],
    ['picture = 1', 'SQL_BIND', 1, 11],
    ["tags = 'a'", 'SQL_BIND', 1, 8],
    ["js = '{}'", 'SQL_BIND', 1, 6],
    ['box = 1', 'SQL_BIND', 1, 7],
    ['box.y = 1', 'SQL_BIND', 1, 1],
    ['nosuch(id) = 1', 'SQL_BIND', 1, 1],
    ['sum(id) > 1', 'SQL_BIND', 1, 1],
    ['left(name) = 1', 'SQL_BIND', 1, 1],
    ['lower(id) = 1', 'SQL_BIND', 1, 7],
    ['tags[0] = 1', 'SQL_BIND', 1, 6],
    ["id like 'a%'", 'SQL_BIND', 1, 1],
    ['__proto__ = 1', 'SQL_BIND', 1, 1],
    ['constructor = 1', 'SQL_BIND', 1, 1],
    ['cast(id as constructor) = 1', 'SQL_SYNTAX', 1, 12],
    ["repeat(name, 1000000000) = 'x'", 'SQL_BIND', 1, 14],
    ["lpad(name, id, '0') = 'x'", 'SQL_BIND', 1, 12],
  ])('refuses %j as %s at line %i, column %i', (text, code, line, column) => {
    expect(refusal(text)).toMatchObject({ code, at: { line, column } });
  });

  it('hints at the way out', () => {
    expect(refusal('nam = 2').hint).toBe('Did you mean “name”?');
    expect(refusal('ID = 1').hint).toBe('Did you mean “id”?');
    expect(refusal("id = '12'").hint).toBe('Write the number without quotes: 12.');
    expect(refusal('name = 12').hint).toBe("Write text in quotes: '12'.");
    expect(refusal("strats_with(name, 'a')").hint).toBe('Did you mean “starts_with”?');
    expect(refusal("js.a = 'x'").hint).toBe("Write json_get_string(js, 'a').");
    expect(refusal("boxes.label = 'x'").hint).toBe('Write boxes[1].label.');
  });

  it('refuses what would nest too deep, and takes what is only long', () => {
    expect(refusal(`id${' + 1'.repeat(3000)} > 3`)).toMatchObject({
      code: 'SQL_SYNTAX',
      hint: expect.stringContaining('in (1, 2, 3'),
    });
    expect(refusal(`${'('.repeat(300)}ok${')'.repeat(300)}`).code).toBe('SQL_SYNTAX');
    expect(refusal(`${'not '.repeat(300)}ok`).code).toBe('SQL_SYNTAX');
    expect(refusal(`${'- '.repeat(300)}id = 1`).code).toBe('SQL_SYNTAX');
    expect(refusal(`${'abs('.repeat(100)}id${')'.repeat(100)} = 1`).code).toBe('BAD_REQUEST');
    expect(refusal(`name = '${'x'.repeat(1024 * 1024)}'`).code).toBe('BAD_REQUEST');
    expect(refusal('('.repeat(1_000_000)).code).toBe('SQL_SYNTAX');
    lance(`${'('.repeat(150)}ok${')'.repeat(150)}`);
    lance(`id${' + 1'.repeat(150)} > 3`);
    expect(lance(`id in (${Array.from({ length: 100_000 }, (_, i) => i).join(',')})`)).toContain('99999)');
    const chain = lance(Array.from({ length: 20_000 }, (_, i) => `id = ${i}`).join(' or '));
    const depths = [...chain].reduce(
      ({ depth, most }, c) => {
        const now = depth + (c === '(' ? 1 : c === ')' ? -1 : 0);
        return { depth: now, most: Math.max(most, now) };
      },
      { depth: 0, most: 0 },
    );
    expect(depths.most).toBeLessThan(8);
  });

  it('refuses bare words that are no names, but takes them quoted or where they are columns', () => {
    expect(lance('"date" = date \'2024-01-01\' and date > "date"')).toBe(
      "`date` = date '2024-01-01' and `date` > `date`",
    );
    expect(refusal('and = 1').code).toBe('SQL_SYNTAX');
  });
});

const name = fc.oneof(
  fc.constantFrom('a', 'Case', 'und_er', 'select', 'and', 'date', 'x', 'interval'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }),
);
const literal = fc.oneof(
  fc.constantFrom(
    'null',
    'true',
    'false',
    "x'00ff'",
    "date '2024-01-01'",
    "interval '7 days'",
    '.5',
    '1e3',
    '007',
  ),
  fc.integer({ min: 0 }).map(String),
  fc.string({ unit: 'binary', maxLength: 8 }).map((value) => `'${value.replaceAll("'", "''")}'`),
);
const quoted = name.map((value) => `"${value.replaceAll('"', '""')}"`);

const expression = fc.letrec<{ expr: string; value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    literal,
    quoted,
    fc.tuple(quoted, quoted).map((path) => path.join('.')),
    fc
      .tuple(tie('value'), fc.constantFrom('+', '-', '*', '/', '//', '%', '||'), tie('value'))
      .map(([a, op, b]) => `(${a}) ${op} (${b})`),
    tie('value').map((a) => `- (${a})`),
    fc.tuple(tie('value'), tie('value')).map(([a, b]) => `coalesce(${a}, ${b})`),
    tie('value').map((a) => `(${a})::bigint`),
    tie('value').map((a) => `try_cast(${a} as decimal(10, 2))`),
    fc.tuple(tie('value'), tie('value')).map(([a, b]) => `(${a})[${b}]`),
    fc.tuple(tie('value'), quoted).map(([a, b]) => `(${a}).${b}`),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
    tie('expr').map((a) => `(${a})`),
  ),
  expr: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('value'),
    fc
      .tuple(
        tie('value'),
        fc.constantFrom('=', '<>', '<', '<=', '>', '>=', 'like', 'not ilike', 'is distinct from'),
        tie('value'),
      )
      .map(([a, op, b]) => `(${a}) ${op} (${b})`),
    fc
      .tuple(tie('value'), tie('value'), tie('value'))
      .map(([a, b, c]) => `(${a}) not between (${b}) and (${c})`),
    fc
      .tuple(tie('value'), fc.array(tie('value'), { minLength: 1, maxLength: 3 }))
      .map(([a, list]) => `(${a}) in (${list.join(', ')})`),
    fc
      .tuple(tie('expr'), fc.constantFrom('is null', 'is not null', 'is true', 'is not false'))
      .map(([a, op]) => `(${a}) ${op}`),
    tie('expr').map((a) => `not (${a})`),
    fc
      .tuple(tie('expr'), fc.constantFrom('and', 'or'), tie('expr'))
      .map(([a, op, b]) => `(${a}) ${op} (${b})`),
  ),
})).expr;

const withoutPlaces = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, part) => (key === 'at' ? undefined : part)));

describe('a filter as text', () => {
  it('reads back as the same filter', () => {
    fc.assert(
      fc.property(expression, (text) => {
        const ast = parseFilter(text);
        const printed = formatFilter(ast);
        expect(withoutPlaces(parseFilter(printed))).toEqual(withoutPlaces(ast));
        expect(formatFilter(parseFilter(printed))).toBe(printed);
      }),
      { numRuns: 1000 },
    );
  });

  it('never fails but with a problem that has a place', () => {
    const noise = fc.array(
      fc.oneof(
        fc.constantFrom(
          '(',
          ')',
          '[',
          ']',
          ',',
          "'",
          '"',
          'and',
          'or',
          'not',
          'in',
          'is',
          'like',
          '=',
          '::',
          '.',
          '-',
          ' ',
        ),
        literal,
        quoted,
        fc.string(),
      ),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(noise, (parts) => {
        try {
          compileFilter({ text: parts.join(' '), columns });
        } catch (error) {
          expect(
            isAppError(error) && error.at && ['SQL_SYNTAX', 'SQL_BIND', 'BAD_REQUEST'].includes(error.code),
          ).toBeTruthy();
        }
      }),
      { numRuns: 2000 },
    );
  });
});
