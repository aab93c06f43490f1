import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { judge, type Result } from './harness.ts';

const folder = fileURLToPath(new URL('../dist/web/', import.meta.url));
const limitBytes = 350_000;

/** Scripts and module preloads that the page names itself: all that is read before the first paint. */
export function benchPageWeight(): Result[] {
  const html = readFileSync(`${folder}index.html`, 'utf8');
  const names = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map((match) => match[1]!);
  const bytes = names.reduce((sum, name) => sum + statSync(`${folder}${name}.br`).size, 0);
  return [
    judge(
      {
        name: 'JavaScript before the first paint',
        unit: 'compressed bytes / 350 kB',
        limit: 1,
        direction: 'atMost',
      },
      {
        ratio: bytes / limitBytes,
        interval: [bytes / limitBytes, bytes / limitBytes],
        ours: bytes,
        peer: limitBytes,
        note: `${names.length} files`,
      },
    ),
  ];
}
