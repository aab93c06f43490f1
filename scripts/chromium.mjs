// Finds the system's Chromium, or installs it where that is possible.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const places = [
  process.env.CURIO_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

export const findChromium = () => places.find((path) => path && existsSync(path));

const managers = [
  ['apt-get', [['update'], ['install', '-y', '--no-install-recommends', 'chromium', 'fonts-liberation']]],
  ['dnf', [['install', '-y', 'chromium']]],
  ['apk', [['add', '--no-cache', 'chromium']]],
  ['pacman', [['-Sy', '--noconfirm', 'chromium']]],
  ['zypper', [['--non-interactive', 'install', 'chromium']]],
];

/** The path of a Chromium; ends the process with an instruction when there is none and none can be installed. */
export function needChromium() {
  const found = findChromium();
  if (found) return found;
  const isRoot = process.getuid?.() === 0;
  const manager = managers.find(([name]) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0);
  if (isRoot && manager) {
    process.stderr.write(`Installing Chromium for the browser tests (${manager[0]}) …\n`);
    for (const args of manager[1]) {
      spawnSync(manager[0], args, {
        stdio: ['ignore', 'ignore', 2],
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      });
    }
    const installed = findChromium();
    if (installed) return installed;
  }
  const advice = manager
    ? `sudo ${manager[0]} ${manager[1].at(-1).join(' ')}`
    : 'install Chromium or Google Chrome';
  process.stderr.write(
    `The browser tests need Chromium, which is not on this machine: ${advice}\n(or set CURIO_CHROMIUM to its path).\n`,
  );
  process.exit(1);
}
