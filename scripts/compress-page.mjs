// Compresses the built page once, so that the server only has to send files.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { root } from './setup.mjs';

const folder = join(root, 'dist', 'web');
const isText = /\.(js|css|html|svg|wasm|json|ttf)$/;
const largeBytes = 4 * 1024 * 1024;

for (const name of readdirSync(folder, { recursive: true })) {
  const path = join(folder, name);
  if (!isText.test(path) || !statSync(path).isFile()) continue;
  const bytes = readFileSync(path);
  if (bytes.length < 1024) continue;
  const quality = bytes.length > largeBytes ? 5 : 10;
  writeFileSync(
    `${path}.br`,
    brotliCompressSync(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  );
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 7 }));
}
