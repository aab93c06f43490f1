/** Neighbours with the same value in an order. */
export interface Group {
  /** Position of its first row. */
  start: number;
  rows: number;
}

interface Piece {
  first: number;
  firstToken: string;
  last: number;
  lastToken: string;
}

/**
 * The groups of equal neighbours among `count` positions that are ordered by what is grouped, from the tokens at a few
 * of them: a piece whose ends are the same is one group, another is halved. Asks for all middles of a round at once;
 * `groups × log2(count)` positions in all. Null when there are more than `maxGroups`.
 */
export async function findGroups({
  count,
  maxGroups,
  tokensAt,
}: {
  count: number;
  maxGroups: number;
  tokensAt(positions: readonly number[]): Promise<string[]>;
}): Promise<Group[] | null> {
  if (count === 0) return [];
  const last = count - 1;
  const [firstToken, lastToken] = (await tokensAt(last === 0 ? [0, 0] : [0, last])) as [string, string];
  const starts = new Set<number>([0]);
  let pieces: Piece[] = [{ first: 0, firstToken, last, lastToken }];
  while (pieces.length > 0) {
    const open: Piece[] = [];
    for (const piece of pieces) {
      if (piece.firstToken === piece.lastToken) continue;
      if (piece.last - piece.first === 1) starts.add(piece.last);
      else open.push(piece);
    }
    if (starts.size + open.length > maxGroups) return null;
    const middles = open.map(({ first, last: end }) => (first + end) >> 1);
    const tokens = middles.length === 0 ? [] : await tokensAt(middles);
    pieces = open.flatMap(({ first, firstToken: from, last: end, lastToken: to }, i) => [
      { first, firstToken: from, last: middles[i]!, lastToken: tokens[i]! },
      { first: middles[i]!, firstToken: tokens[i]!, last: end, lastToken: to },
    ]);
  }
  const ordered = [...starts].sort((a, b) => a - b);
  return ordered.map((start, i) => ({ start, rows: (ordered[i + 1] ?? count) - start }));
}
