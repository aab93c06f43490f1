// Plain JavaScript that any Node from 18 on can read: it makes ready what everything else needs.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const wantedNode = 24;

const readLock = (path) => JSON.parse(readFileSync(path, 'utf8')).packages;

/** Whether `node_modules` holds what the lock file says, by npm's own record of what it installed. */
function isInstalled() {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const installed = readLock(record);
  return Object.entries(readLock(join(root, 'package-lock.json'))).every(
    ([path, wanted]) =>
      path === '' || installed[path]?.version === wanted.version || (wanted.optional && !installed[path]),
  );
}

/** Installs the packages unless they are there. */
export function installPackages() {
  if (isInstalled()) return;
  process.stderr.write('Installing packages (npm ci) …\n');
  const isWindows = process.platform === 'win32';
  const done = spawnSync(
    isWindows ? 'npm.cmd' : 'npm',
    ['ci', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: root,
      stdio: ['ignore', 2, 2],
      shell: isWindows,
    },
  );
  if (done.status !== 0) {
    process.stderr.write(
      'npm ci failed. Curio needs npm and a reachable package registry for the first start.\n',
    );
    process.exit(1);
  }
}

/** The Node to run with: this one when it is new enough, else the one that the package brings. */
export function nodePath() {
  if (Number(process.versions.node.split('.')[0]) >= wantedNode) return process.execPath;
  const bundled = join(
    root,
    'node_modules',
    'node',
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  );
  if (existsSync(bundled)) return bundled;
  process.stderr.write(
    `Curio needs Node ${wantedNode}, and the one that comes with the package is missing: run npm ci.\n`,
  );
  process.exit(1);
}

export const nodeFlags = ['--disable-warning=ExperimentalWarning'];

export const binPath = (...parts) => join(root, 'node_modules', ...parts);

function* filesBelow(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else yield path;
  }
}

/** Builds the page unless it is already built from these sources. */
export function buildPage() {
  const stampFile = join(root, 'dist', '.page-built');
  const hash = createHash('sha256');
  const singles = ['package-lock.json', 'vite.config.ts', 'tsconfig.json'].map((name) => join(root, name));
  const folders = ['web', 'shared', 'public'].flatMap((name) => [...filesBelow(join(root, name))].sort());
  for (const file of [...singles, ...folders]) {
    if (file.includes('.test.')) continue;
    hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0');
  }
  const stamp = hash.digest('hex');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  process.stderr.write('Building the page …\n');
  run(binPath('vite', 'bin', 'vite.js'), ['build', '--logLevel', 'warn']);
  run(join(root, 'scripts', 'compress-page.mjs'), []);
  writeFileSync(stampFile, stamp);
}

/** Runs a module to its end with the right Node; ends this process when it fails. */
export function run(module, args, { env } = {}) {
  const done = spawnSync(nodePath(), [...nodeFlags, module, ...args], {
    cwd: root,
    stdio: ['inherit', 2, 2],
    env: { ...process.env, ...env },
  });
  if (done.status !== 0) process.exit(done.status ?? 1);
}

/** Becomes another module: same terminal, signals passed on, same exit code. */
export function become(module, args, { env, cwd } = {}) {
  const child = spawn(nodePath(), [...nodeFlags, module, ...args], {
    cwd: cwd ?? process.cwd(),
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}
