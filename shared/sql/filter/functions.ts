import type { ValueType } from './value-type.ts';

/**
 * What a parameter takes: `text`, `int`, `double` (any number, made a float64), `number`, `moment` (timestamp or date),
 * `list`, `item` (an element of the list before), `items` (a list like the one before), `json`, `same` (like the first),
 * `size` (a number that is written out and small: texts grow by it), `any`, `textual` (text, or what has a plain text form), `part` (a part of a time, as text), `key` (a JSON key or index).
 */
export type Param =
  | 'text'
  | 'int'
  | 'size'
  | 'double'
  | 'number'
  | 'moment'
  | 'list'
  | 'item'
  | 'items'
  | 'json'
  | 'same'
  | 'any'
  | 'textual'
  | 'part'
  | 'key'
  | 'vector';

export interface FunctionSpec {
  params: Param[];
  /** How many of the last parameters may be left out. */
  optional: number;
  /** The last parameter may come again and again. */
  isVariadic: boolean;
  result: ValueType['kind'] | 'first' | 'second' | 'item' | 'timestamptz';
  /** Templates: `$1` … are the arguments, `$*` all of them. */
  lance: string;
  duckdb: string;
}

const specs = new Map<string, FunctionSpec>();

/** `'text int? -> text'`; a last parameter with `…` may be repeated. */
function define(names: string, signature: string, templates: { lance?: string; duckdb?: string } = {}): void {
  const [left = '', result = 'text'] = signature.split('->').map((part) => part.trim());
  const words = left.split(/\s+/).filter((word) => word !== '');
  const [name, ...aliases] = names.split(' ') as [string, ...string[]];
  const spec: FunctionSpec = {
    params: words.map((word) => word.replace(/[?…]/g, '') as Param),
    optional: words.filter((word) => word.includes('?')).length,
    isVariadic: left.includes('…'),
    result: result as FunctionSpec['result'],
    lance: templates.lance ?? `\`${name}\`($*)`,
    duckdb: templates.duckdb ?? `${name}($*)`,
  };
  for (const alias of [name, ...aliases]) specs.set(alias, spec);
}

define('lower lcase', 'text -> text');
define('upper ucase', 'text -> text');
define('reverse', 'text -> text');
define('length char_length character_length len', 'text -> int', {
  lance: '`character_length`($*)',
  duckdb: 'length($*)',
});
define('octet_length strlen', 'text -> int', { duckdb: 'strlen($*)' });
define('trim btrim', 'text text? -> text', { lance: '`btrim`($*)' });
define('ltrim', 'text text? -> text');
define('rtrim', 'text text? -> text');
define('left', 'text int -> text');
define('right', 'text int -> text');
define('substr substring', 'text int int? -> text');
define('strpos instr', 'text text -> int');
define('split_part', 'text text int -> text');
define('replace', 'text text text -> text');
define('translate', 'text text text -> text');
define('repeat', 'text size -> text');
define('lpad', 'text size text -> text');
define('rpad', 'text size text -> text');
define('starts_with prefix', 'text text -> bool');
define('ends_with suffix', 'text text -> bool');
define('contains', 'text text -> bool');
define('levenshtein editdist3', 'text text -> int');
define('md5', 'text -> text');
define('ascii', 'text -> int');
define('chr', 'int -> text');
define('concat', 'textual… -> text');
define('concat_ws', 'text textual… -> text');
define('regexp_like regexp_matches', 'text text text? -> bool', { duckdb: 'regexp_matches($*)' });
define('regexp_replace', 'text text text text? -> text');
define('regexp_count', 'text text -> int', {
  lance: '(regexp_count($1, $2) + 0 * character_length($1))',
  duckdb: 'len(regexp_extract_all($1, $2))',
});

define('abs', 'number -> first');
define('round', 'double int? -> float');
define('trunc', 'double -> float');
define('floor', 'double -> float');
define('ceil ceiling', 'double -> float');
define('power pow', 'double double -> float');
define('sqrt', 'double -> float', {
  lance: 'abs(sqrt($1))',
  duckdb: "CASE WHEN $1 < 0 THEN 'nan'::DOUBLE ELSE sqrt($1) END",
});
define('exp', 'double -> float');
define('ln', 'double -> float', {
  duckdb: "CASE WHEN $1 > 0 THEN ln($1) WHEN $1 = 0 THEN '-inf'::DOUBLE ELSE $1 * 'nan'::DOUBLE END",
});
define('log10 log', 'double -> float', {
  lance: '`log10`($1)',
  duckdb: "CASE WHEN $1 > 0 THEN log10($1) WHEN $1 = 0 THEN '-inf'::DOUBLE ELSE $1 * 'nan'::DOUBLE END",
});
define('log2', 'double -> float', {
  duckdb: "CASE WHEN $1 > 0 THEN log2($1) WHEN $1 = 0 THEN '-inf'::DOUBLE ELSE $1 * 'nan'::DOUBLE END",
});
define('sin', 'double -> float');
define('cos', 'double -> float');
define('tan', 'double -> float');
define('sign signum', 'double -> float', { lance: '`signum`($1)', duckdb: 'CAST(sign($1) AS DOUBLE)' });
define('pi', ' -> float');
define('isnan is_nan', 'double -> bool');

define('coalesce ifnull nvl', 'any same… -> first');
define('nullif', 'any same -> first');
define('greatest', 'any same… -> first');
define('least', 'any same… -> first');

define('now current_timestamp', ' -> timestamptz');
define('current_date today', ' -> date', {
  lance: '`current_date`()',
  duckdb: "CAST(now() AT TIME ZONE 'UTC' AS DATE)",
});
define('date_part datepart', 'part moment -> float', {
  lance: "arrow_cast(`date_part`($1, $2), 'Float64')",
  duckdb: 'CAST(date_part($1, $2) AS DOUBLE)',
});
// DuckDB 1.5 turns date_trunc(…, null) = constant into false instead of null; the coalesce keeps its optimizer off.
define('date_trunc datetrunc', 'part moment -> second', { duckdb: 'coalesce(date_trunc($1, $2), NULL)' });
define('to_timestamp', 'double -> timestamp', {
  lance: "arrow_cast(arrow_cast($1 * 1000000.0, 'Int64'), 'Timestamp(Microsecond, None)')",
  duckdb: 'make_timestamp(CAST(trunc($1 * 1000000.0) AS BIGINT))',
});

define('array_has list_contains list_has array_contains', 'list item -> bool', {
  lance: 'array_has($1, $2)',
  duckdb: 'list_contains($1, $2)',
});
define('array_has_any list_has_any', 'list items -> bool', {
  lance: 'array_has_any($1, $2)',
  duckdb: 'list_has_any($1, $2)',
});
define('array_has_all list_has_all', 'list items -> bool', {
  lance: 'array_has_all($1, $2)',
  duckdb: 'list_has_all($1, $2)',
});
define('array_length cardinality list_length', 'list -> int', {
  lance: 'cardinality($1)',
  duckdb: 'len($1)',
});
define('empty', 'list -> bool', { duckdb: '(len($1) = 0)' });
define('array_to_string list_to_string', 'list text -> text', { lance: 'array_to_string($1, $2)' });
define('array_position list_position', 'list item -> int', {
  lance: 'array_position($1, $2)',
  duckdb: 'list_position($1, $2)',
});
define('array_max list_max', 'list -> item', { lance: 'array_max($1)', duckdb: 'list_max($1)' });
define('array_min list_min', 'list -> item', { lance: 'array_min($1)', duckdb: 'list_min($1)' });
define('cosine_distance array_cosine_distance', 'vector items -> float', {
  lance: '`cosine_distance`($1, $2)',
  duckdb: 'list_cosine_distance($1, $2)',
});
define('array_distance list_distance', 'vector items -> float', {
  lance: '`array_distance`($1, $2)',
  duckdb: 'list_distance($1, $2)',
});

define('json_extract', 'json text -> text', {
  lance: 'json_extract($1, $2)',
  duckdb: 'CAST(json_extract($1, $2) AS VARCHAR)',
});
define('json_exists', 'json text -> bool', { lance: 'json_exists($1, $2)', duckdb: 'json_exists($1, $2)' });
define('json_array_length', 'json text -> int', {
  lance: 'json_array_length($1, $2)',
  duckdb: 'CAST(json_array_length($1, $2) AS BIGINT)',
});
define('json_array_contains', 'json text textual -> bool', {
  lance: 'json_array_contains($1, $2, $3)',
  duckdb: "list_contains(json_extract_string($1, $2 || '[*]'), $3)",
});
define('json_get', 'json key -> json', { lance: 'json_get($1, $2)', duckdb: 'json_extract($1, $2)' });
define('json_get_string', 'json key -> text', {
  lance: 'json_get_string($1, $2)',
  duckdb: 'json_extract_string($1, $2)',
});
define('json_get_int', 'json key -> int', {
  lance: "arrow_try_cast(json_get_string($1, $2), 'Int64')",
  duckdb: 'TRY_CAST(json_extract_string($1, $2) AS BIGINT)',
});
define('json_get_float', 'json key -> float', {
  lance: "arrow_try_cast(json_get_string($1, $2), 'Float64')",
  duckdb: 'TRY_CAST(json_extract_string($1, $2) AS DOUBLE)',
});
define('json_get_bool', 'json key -> bool', {
  lance: "arrow_try_cast(json_get_string($1, $2), 'Boolean')",
  duckdb: 'TRY_CAST(json_extract_string($1, $2) AS BOOLEAN)',
});

export const findFunction = (name: string): FunctionSpec | undefined => specs.get(name);

/** Every name that can be called in a filter, for completion and for hints. */
export const filterFunctions: readonly string[] = [...specs.keys()].sort();
