/** Keys of the Arrow schema metadata in which a row stream carries its facts. All values are strings. */
export const wire = {
  /** The pinned ref that the rows come from, as `formatRef` writes it. */
  ref: 'curio.ref',
  /** Rows that the whole result has, whatever window of it travels. */
  total: 'curio.total',
  /** What the result covers, in words: `all`, `first 10000`, … */
  scope: 'curio.scope',
  /** `lance`, `duckdb` or `duckdb-wasm`. */
  engine: 'curio.engine',
  elapsedMs: 'curio.elapsedMs',
  /** Search: `true` when no approximate index was used. */
  exact: 'curio.exact',
  /** Search: share of the rows that the index covers, 0 to 1. */
  indexCoverage: 'curio.indexCoverage',
  /** Search by vectors: `cosine`, `l2` (squared) or `dot`; smaller `_distance` is nearer. */
  metric: 'curio.metric',
  /** Search by vectors: the column that was searched in. */
  column: 'curio.column',
  /** Changed rows: the pinned refs of the three sides (base is missing when there is none), and the `DiffSummary` as JSON. */
  base: 'curio.base',
  from: 'curio.from',
  into: 'curio.into',
  summary: 'curio.summary',
} as const;

/** Keys of Lance field metadata in which a column's facts are stored, for every other tool to see (`shared/domain/field-facts.ts`). */
export const fieldFacts = {
  role: 'curio:role',
  /** The position of the column in the row key, from 1. */
  key: 'curio:key',
  description: 'curio:description',
  /** A JSON array of texts. */
  tags: 'curio:tags',
  /** `true`: out of sight by default. */
  hidden: 'curio:hidden',
  /** How the column's annotations are read, as JSON (`shared/domain/annotations/layout.ts`). */
  annotations: 'curio:annotations',
  /** On the first column: the description of the table, since Lance has no place for it. */
  tableDescription: 'curio:table-description',
  /** On the first key column, else the first column: the checks of the table, as JSON (`shared/domain/checks.ts`). */
  checks: 'curio:checks',
  /** Only on columns of results: `blob` where the cells are `BlobCell`s. */
  cell: 'curio:cell',
} as const;

export const arrowStreamType = 'application/vnd.apache.arrow.stream';
export const problemType = 'application/problem+json';
/** Arrow's end marker: the last eight bytes of a whole stream. */
export const arrowEndMarker: readonly number[] = [255, 255, 255, 255, 0, 0, 0, 0];
