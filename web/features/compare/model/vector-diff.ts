export interface VectorDiff {
  /** Cosine of the angle between old and new; `null` where one has no length or the sizes differ. */
  cosine: number | null;
  /** Euclidean distance; `null` where the sizes differ. */
  distance: number | null;
  /** Components that are not bit for bit the same. */
  changed: number;
  sizeBefore: number;
  sizeAfter: number;
}

type Vector = ArrayLike<number>;

/** Measures how far two vectors are apart. */
export function diffVectors(before: Vector, after: Vector): VectorDiff {
  const sizes = { sizeBefore: before.length, sizeAfter: after.length };
  if (before.length !== after.length) {
    return { cosine: null, distance: null, changed: Math.max(before.length, after.length), ...sizes };
  }
  let dot = 0;
  let oldSquares = 0;
  let newSquares = 0;
  let squares = 0;
  let changed = 0;
  for (let index = 0; index < before.length; index += 1) {
    const a = Number(before[index]);
    const b = Number(after[index]);
    dot += a * b;
    oldSquares += a * a;
    newSquares += b * b;
    squares += (a - b) ** 2;
    if (!Object.is(a, b)) changed += 1;
  }
  const lengths = Math.sqrt(oldSquares) * Math.sqrt(newSquares);
  const cosine = lengths > 0 && Number.isFinite(lengths) ? Math.max(-1, Math.min(1, dot / lengths)) : null;
  return { cosine, distance: Math.sqrt(squares), changed, ...sizes };
}
