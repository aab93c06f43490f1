import * as z from 'zod';
import { type BranchLine, findBase } from '#shared/domain/merge-base.ts';
import { mainBranch, type PinnedRef } from '#shared/domain/ref.ts';
import type { LanceHome } from './connect.ts';
import { branchesFolder } from './table-files.ts';

const BranchFile = z.object({ parentBranch: z.string().nullish(), parentVersion: z.number() });

/** The branch and those that it came from, up to main. */
export async function readLine(home: LanceHome, table: string, branch: string): Promise<BranchLine[]> {
  const line: BranchLine[] = [];
  for (let name = branch; name !== mainBranch; ) {
    const file = `${branchesFolder(table)}/${fileNameOf(name)}`;
    const bytes = await home.storage.read(file);
    const parsed = bytes ? BranchFile.safeParse(parseJson(bytes)) : null;
    if (!parsed?.success || line.some((each) => each.name === name)) return line;
    const parent = { branch: parsed.data.parentBranch ?? mainBranch, version: parsed.data.parentVersion };
    line.push({ name, parent });
    name = parent.branch;
  }
  return [...line, { name: mainBranch, parent: null }];
}

const fileNameOf = (branch: string): string =>
  `${encodeURIComponent(branch).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)}.json`;

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return null;
  }
}

export interface Lineage {
  /** The newest version that both refs come from by storage alone, merges left aside; `null` when there is none. */
  fork: PinnedRef | null;
  /** The versions that each of the two has gone through since, newest first. */
  since: PinnedRef[];
}

/** How two versions of a table hang together in storage: what lies on the common line has the same row and field ids. */
export async function readLineage(
  home: LanceHome,
  { table, a, b }: { table: string; a: PinnedRef; b: PinnedRef },
): Promise<Lineage> {
  const [lineA, lineB] = await Promise.all([
    readLine(home, table, a.branch),
    readLine(home, table, b.branch),
  ]);
  const branches = [...new Map([...lineA, ...lineB].map((line) => [line.name, line])).values()];
  const fork = findBase({ branches, merges: [], restores: [] }, a, b);
  return { fork, since: fork ? [...stepsTo(a, fork, branches), ...stepsTo(b, fork, branches)] : [] };
}

function stepsTo(ref: PinnedRef, fork: PinnedRef, branches: BranchLine[]): PinnedRef[] {
  const steps: PinnedRef[] = [];
  let at: PinnedRef | null = ref;
  while (at && !(at.branch === fork.branch && at.version <= fork.version)) {
    const { branch, version }: PinnedRef = at;
    const parent: PinnedRef | null = branches.find(({ name }) => name === branch)?.parent ?? null;
    const isFirst: boolean = parent !== null && version <= parent.version;
    if (!isFirst) steps.push(at);
    at = isFirst ? parent : { branch, version: version - 1 };
    if (at && at.version < 1) return steps;
  }
  return steps;
}
