/** Edits (insert, delete, replace, swap of neighbours) that turn one text into the other. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, before[j - 2]! + 1);
      row.push(cost);
    }
    before = last;
    last = row;
  }
  return last[b.length]!;
}

function sharedStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

const maxComparedLength = 64;

/** Up to `limit` of the known names that a person may have meant, nearest first. */
export function nearNames(name: string, known: Iterable<string>, limit = 3): string[] {
  const wanted = name.slice(0, maxComparedLength).toLowerCase();
  const reach = Math.max(1, Math.ceil(wanted.length / 3));
  const scored: { candidate: string; score: number; shared: number }[] = [];
  for (const candidate of new Set(known)) {
    const lower = candidate.slice(0, maxComparedLength).toLowerCase();
    const isPart =
      wanted.length >= 3 && (lower.includes(wanted) || (lower.length >= 3 && wanted.includes(lower)));
    if (!isPart && Math.abs(lower.length - wanted.length) > reach) continue;
    const distance = editDistance(wanted, lower);
    if (distance <= reach || isPart)
      scored.push({
        candidate,
        score: isPart ? Math.min(distance, reach) : distance,
        shared: sharedStart(wanted, lower),
      });
  }
  return scored
    .sort((a, b) => a.score - b.score || b.shared - a.shared || a.candidate.localeCompare(b.candidate))
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}

/** `Did you mean a, b or c?`, or undefined when nothing is near. */
export function didYouMean(name: string, known: Iterable<string>): string | undefined {
  const near = nearNames(name, known);
  if (near.length === 0) return undefined;
  const quoted = near.map((candidate) => `“${candidate}”`);
  const lastName = quoted.pop();
  return `Did you mean ${quoted.length === 0 ? lastName : `${quoted.join(', ')} or ${lastName}`}?`;
}
