// Everything that must hold: checks, unit and API tests, browser journeys. Ends with a line `N passed, N failed`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needChromium } from './chromium.mjs';
import { binPath, buildPage, installPackages, nodeFlags, nodePath, root } from './setup.mjs';

installPackages();
const chromium = needChromium();
buildPage();

const reports = mkdtempSync(join(tmpdir(), 'curio-test-'));
const runStep = (module, args, env = {}) =>
  spawnSync(nodePath(), [...nodeFlags, module, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  }).status === 0;

const readReport = (name) => {
  try {
    return JSON.parse(readFileSync(join(reports, name), 'utf8'));
  } catch {
    return null;
  }
};

let passed = 0;
let failed = 0;
const count = (good, bad) => {
  passed += good;
  failed += bad;
};

count(...(runStep(join(root, 'scripts', 'check.mjs'), []) ? [1, 0] : [0, 1]));

const areUnitsGood = runStep(binPath('vitest', 'vitest.mjs'), [
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${join(reports, 'unit.json')}`,
]);
const unit = readReport('unit.json');
count(unit?.numPassedTests ?? 0, Math.max(unit?.numFailedTests ?? 0, areUnitsGood ? 0 : 1));

const areJourneysGood = runStep(
  binPath('@playwright', 'test', 'cli.js'),
  ['test', ...process.argv.slice(2)],
  {
    CURIO_CHROMIUM: chromium,
    PLAYWRIGHT_JSON_OUTPUT_NAME: join(reports, 'e2e.json'),
  },
);
const e2e = readReport('e2e.json')?.stats;
count((e2e?.expected ?? 0) + (e2e?.flaky ?? 0), Math.max(e2e?.unexpected ?? 0, areJourneysGood ? 0 : 1));

rmSync(reports, { recursive: true, force: true });
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
