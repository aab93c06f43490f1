// LanceDB's builds for other platforms, in the lock file by name and version, so that `npm ci` works everywhere
// although a registry may not carry all of them. Run it after a change of LanceDB's version.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

const file = join(root, 'package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8'));
const { version } = lock.packages['node_modules/@lancedb/lancedb'];
const platforms = [
  ['darwin-arm64', 'arm64', 'darwin'],
  ['linux-arm64-gnu', 'arm64', 'linux', 'glibc'],
  ['linux-arm64-musl', 'arm64', 'linux', 'musl'],
  ['linux-x64-gnu', 'x64', 'linux', 'glibc'],
  ['linux-x64-musl', 'x64', 'linux', 'musl'],
  ['win32-arm64-msvc', 'arm64', 'win32'],
  ['win32-x64-msvc', 'x64', 'win32'],
];
for (const [name, cpu, os, libc] of platforms) {
  lock.packages[`node_modules/@lancedb/lancedb-${name}`] ??= {
    version, cpu: [cpu], ...(libc ? { libc: [libc] } : {}), license: 'Apache-2.0', optional: true, os: [os],
  };
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
