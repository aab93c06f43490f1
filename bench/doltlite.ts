import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmod, mkdir, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const run = promisify(execFile);
const version = '0.50.12';

/** How DoltLite is started on this machine, or why it cannot be. */
export type DoltLite = { command: string[]; reason: null } | { command: null; reason: string };

/**
 * DoltLite is no dependency of Curio. `CURIO_DOLTLITE` names the unpacked npm package; without it the package is fetched
 * once into a folder for temporary files. It needs glibc 2.38; where the system's is older, `CURIO_GLIBC` names a folder
 * in which a newer one lies unpacked (Debian 13's `libc6`: `dpkg -x libc6_*.deb FOLDER`).
 */
export async function findDoltLite(): Promise<DoltLite> {
  if (process.platform !== 'linux') return { command: null, reason: 'only Linux builds are tried' };
  try {
    const folder = process.env.CURIO_DOLTLITE ?? (await fetchPackage());
    const binary = join(folder, 'prebuilds', `linux-${process.arch}`, 'doltlite');
    await chmod(binary, 0o755);
    const command = [...(await loaderOf(process.env.CURIO_GLIBC)), binary];
    await run(command[0]!, [...command.slice(1), ':memory:', 'select dolt_version()']);
    return { command, reason: null };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const isOld = text.includes('GLIBC_');
    return {
      command: null,
      reason: isOld
        ? 'it needs glibc 2.38: name a folder with a newer one in CURIO_GLIBC'
        : `DoltLite could not be started: ${text.split('\n')[0]}`,
    };
  }
}

async function fetchPackage(): Promise<string> {
  const folder = join(tmpdir(), `curio-bench-doltlite-${version}`);
  await mkdir(folder, { recursive: true });
  if (!(await readdir(folder)).includes('package')) {
    const { stdout } = await run('npm', ['pack', '--silent', `@dolthub/doltlite@${version}`], {
      cwd: folder,
    });
    await run('tar', ['xzf', stdout.trim().split('\n').at(-1)!], { cwd: folder });
  }
  return join(folder, 'package');
}

/** The newer loader with its libraries; the system's where none is named. */
async function loaderOf(folder: string | undefined): Promise<string[]> {
  if (folder === undefined) return [];
  const files = await readdir(folder, { recursive: true });
  const loader = files.find((file) => /(^|\/)ld-linux-.*\.so\.\d$/.test(file) && !file.includes('lib64'));
  const libc = files.find((file) => /(^|\/)libc\.so\.6$/.test(file));
  if (!loader || !libc) throw new Error(`There is no libc in ${folder}.`);
  const libraries = join(folder, libc, '..');
  return [
    join(folder, loader),
    '--library-path',
    `${libraries}:/lib/x86_64-linux-gnu:/lib/aarch64-linux-gnu`,
  ];
}

/** One DoltLite process over one database file; it times each statement itself. */
export class DoltSession {
  #child: ChildProcess;
  #lines: string[] = [];
  #wake: (() => void) | null = null;
  #count = 0;

  constructor(command: readonly string[], file: string) {
    this.#child = spawn(command[0]!, [...command.slice(1), file], { stdio: ['pipe', 'pipe', 'inherit'] });
    createInterface({ input: this.#child.stdout! }).on('line', (line) => {
      this.#lines.push(line);
      this.#wake?.();
    });
    this.#child.stdin!.write('.timer on\n.headers off\n');
  }

  /** Runs statements; the rows as lines, and the milliseconds that they took. */
  async ask(sql: string): Promise<{ rows: string[]; ms: number }> {
    const mark = `mark ${this.#count++}`;
    this.#lines = [];
    this.#child.stdin!.write(`${sql}\nselect '${mark}';\n`);
    while (!this.#lines.includes(mark)) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
    const own = this.#lines.slice(0, this.#lines.indexOf(mark));
    const times = own.flatMap((line) => /^Run Time: real ([\d.]+)/.exec(line)?.[1] ?? []);
    return {
      rows: own.filter((line) => !line.startsWith('Run Time:')),
      ms: times.reduce((sum, seconds) => sum + Number(seconds) * 1000, 0),
    };
  }

  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#child.once('exit', () => resolve());
    this.#child.stdin!.end();
    await promise;
  }
}
