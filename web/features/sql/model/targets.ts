import { type StatementSpan, splitStatements, statementAt } from '#shared/sql/split-statements.ts';

/** Where the caret is in a cell. */
export interface Caret {
  cell: number;
  offset: number;
  selection: { start: number; end: number } | null;
}

/** What Run runs: the selection where there is one, else the statement at the caret. */
export function chosenStatement(body: string, { offset, selection }: Caret): StatementSpan | null {
  if (!selection) return statementAt(body, offset);
  const spans = splitStatements(body.slice(selection.start, selection.end));
  const [first] = spans;
  const last = spans.at(-1);
  if (!first || !last) return statementAt(body, offset);
  const [start, end] = [selection.start + first.start, selection.start + last.end];
  return { text: body.slice(start, end), start, end };
}
