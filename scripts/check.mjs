// Types, lint and format, module boundaries, unused code.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { binPath, installPackages, nodeFlags, nodePath, root } from './setup.mjs';

/** dependency-cruiser reports no violations over no modules when its parser is missing. */
const fewestModules = 150;

installPackages();

const check = (name, module, args) => {
  const startedAt = Date.now();
  const done = spawnSync(nodePath(), [...nodeFlags, module, ...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const output = `${done.stdout}${done.stderr}`;
  const isGood = done.status === 0;
  process.stdout.write(`${isGood ? '✓' : '✗'} ${name} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)\n`);
  if (!isGood) process.stdout.write(`${output}\n`);
  return { isGood, output };
};

const boundaries = () => {
  const result = check('boundaries', binPath('dependency-cruiser', 'bin', 'dependency-cruiser.mjs'), [
    '--config',
    '.dependency-cruiser.mjs',
    'shared',
    'server',
    'web',
  ]);
  const seen = Number(/(\d+) modules/.exec(result.output)?.[1] ?? 0);
  if (seen >= fewestModules) return result;
  process.stdout.write(`✗ boundaries: only ${seen} modules were seen\n`);
  return { ...result, isGood: false };
};

const lockFile = () => {
  const isGood = !readFileSync(join(root, 'package-lock.json'), 'utf8').includes('"resolved"');
  process.stdout.write(`${isGood ? '✓' : '✗'} lock file without addresses\n`);
  return { isGood };
};

const results = [
  check('types', binPath('typescript', 'bin', 'tsc'), ['--noEmit', '-p', '.']),
  check('lint and format', binPath('@biomejs', 'biome', 'bin', 'biome'), [
    'check',
    '--max-diagnostics=50',
    '.',
  ]),
  boundaries(),
  check('unused code', binPath('knip', 'bin', 'knip.js'), ['--no-progress']),
  lockFile(),
];
const failed = results.filter((result) => !result.isGood).length;
process.exitCode = failed === 0 ? 0 : 1;
