import type { RowFacts } from '../../../api/arrow-rows.ts';

/** One row of a result. */
export interface GridRow {
  /** Its place in the result, from 0; with groups, among rows and heads. */
  readonly index: number;
  /** Its number among the rows, from 1, where that is not its place. */
  readonly number?: number;
  /** `_rowid` as text; where the rows have none, the place. */
  readonly id: string;
  /** The ref that it was read at, pinned; null where the rows belong to no one table. */
  readonly ref: string | null;
  /** Texts that came cut, with their size in bytes. */
  readonly cut?: ReadonlyMap<string, number>;
  /** As flechette gives it: null, bigint for 64 bits, arrays for lists, objects for structs. */
  value(column: string): unknown;
}

export interface RowsState {
  /** Rows of the whole result; null until the first answer. */
  total: number | null;
  /** Rows among the places, where heads of groups stand between them. */
  rows?: number;
  /** Of the first answer. */
  facts: RowFacts | null;
  /** Rows that are on the screen are on their way. */
  isLoading: boolean;
  error: unknown;
  /** Grows when rows come or go. */
  revision: number;
}

/** First and last row of a piece of the screen. */
export interface ScreenSpan {
  first: number;
  last: number;
}

/** Rows that a grid or a gallery shows, of whatever origin: windows of a table, a search, a result of SQL. */
export interface RowSource {
  /** Sources with the same key keep the place where one looks; a source without one starts at the top. */
  placeKey?: string;
  subscribe(listener: () => void): () => void;
  getState(): RowsState;
  /** `undefined` while it is not there. */
  rowAt(index: number): GridRow | undefined;
  /** A row that is there, by its id. */
  find(id: string): GridRow | undefined;
  /** Says which rows are on the screen: what is missing is fetched, what has left is given up. */
  show(first: number, last: number): void;
  /** As `show`, where the screen has several pieces of the rows: groups between which others are folded. */
  showSpans?(spans: readonly ScreenSpan[]): void;
  /** Row ids of a span, fetched where they are not there. */
  idsOf(first: number, last: number, signal?: AbortSignal): Promise<string[]>;
  /** Tries again after an error. */
  retry(): void;
  /** Gives up what is under way. */
  close(): void;
}

export const rowIdColumn = '_rowid';

export const startState: RowsState = { total: null, facts: null, isLoading: true, error: null, revision: 0 };
