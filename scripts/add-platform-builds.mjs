// Native builds for other platforms, in the lock file by name and version, so that `npm ci` works everywhere although
// a registry may not carry all of them. Run it after each change of the lock file.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

const packages = ['@lancedb/lancedb', '@napi-rs/webcodecs'];
const cpus = { x64: 'x64', arm64: 'arm64', arm: 'arm' };
const libcs = { gnu: 'glibc', gnueabihf: 'glibc', musl: 'musl' };

const file = join(root, 'package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8'));

for (const name of packages) {
  const { version, license, optionalDependencies = {} } = lock.packages[`node_modules/${name}`];
  for (const build of Object.keys(optionalDependencies).filter((other) => other.startsWith(`${name}-`))) {
    const [os, cpu, abi] = build.slice(name.length + 1).split('-');
    const libc = os === 'linux' && libcs[abi];
    lock.packages[`node_modules/${build}`] ??= {
      version,
      cpu: [cpus[cpu]],
      ...(libc ? { libc: [libc] } : {}),
      license,
      optional: true,
      os: [os],
    };
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
