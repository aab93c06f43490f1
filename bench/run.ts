import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchBrush } from './brush.ts';
import { benchGrid } from './grid.ts';
import type { Result } from './harness.ts';
import { benchBlobs, benchRanges, benchThumbs } from './media.ts';
import { benchGallery } from './media-gallery.ts';
import { benchMerge } from './merge.ts';
import { benchRows } from './rows.ts';
import { benchSql } from './sql.ts';

/** `npm run bench -- merge` runs only the named ones, `-- media` all whose names begin so. */
const sections = {
  rows: benchRows,
  merge: benchMerge,
  grid: benchGrid,
  brush: benchBrush,
  sql: benchSql,
  'media-blobs': benchBlobs,
  'media-ranges': benchRanges,
  'media-thumbs': benchThumbs,
  'media-gallery': benchGallery,
};

/** Tables that take minutes to make stay where this says, for the next run. */
const keptHome = process.env.CURIO_BENCH_HOME;
const home = keptHome ?? mkdtempSync(join(tmpdir(), 'curio-bench-'));

const format = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));

const print = ({ name, ratio, interval, limit, direction, ours, peer, unit, isMet, note }: Result): void => {
  const bound = direction === 'atMost' ? '≤' : '≥';
  process.stdout.write(
    `${isMet ? '✓' : '✗'} ${name}: ${format(ratio)} (goal ${bound} ${limit}; 90 % of resamples ${format(interval[0])} to ${format(interval[1])}; ${format(ours)} / ${format(peer)} ${unit})${note ? ` · ${note}` : ''}\n`,
  );
};

process.stdout.write(
  `${cpus().length} × ${cpus()[0]?.model ?? 'unknown CPU'}, Node ${process.versions.node}\n`,
);
try {
  const asked = process.argv.slice(2);
  const results: Result[] = [];
  for (const [name, bench] of Object.entries(sections)) {
    if (asked.length > 0 && !asked.some((one) => `${name}-`.startsWith(`${one}-`))) continue;
    const some = await bench(home);
    some.forEach(print);
    results.push(...some);
  }
  process.stdout.write(`${JSON.stringify(results)}\n`);
  process.exitCode = results.every((result) => result.isMet) ? 0 : 1;
} finally {
  if (keptHome === undefined) rmSync(home, { recursive: true, force: true });
}
