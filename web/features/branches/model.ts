import { isAppError } from '#shared/api/problem.ts';
import type { BranchInfo, TagInfo } from '#shared/api/tables.ts';
import { assertBranchName, assertTagName } from '#shared/domain/names.ts';
import { formatRef, mainBranch, parseRef, type Ref } from '#shared/domain/ref.ts';

/** Steps of a branch that its parent does not have; 0 for main. */
export const commitsAhead = ({
  version,
  parent,
  ahead,
}: Pick<BranchInfo, 'version' | 'parent' | 'ahead'>): number =>
  ahead ?? (parent === null ? 0 : Math.max(0, version - parent.version));

/** Where a branch would be merged: what it came from. */
export const mergeTarget = ({ parent }: Pick<BranchInfo, 'parent'>): string => parent?.branch ?? mainBranch;

/** What is wrong with a new name, in a sentence; `null` when it can stand. */
export function branchNameProblem(name: string, taken: readonly string[]): string | null {
  if (taken.includes(name)) return `There is a branch “${name}” already.`;
  return problemOf(() => assertBranchName(name));
}

export const tagNameProblem = (name: string, taken: readonly string[]): string | null =>
  taken.includes(name) ? `There is a tag “${name}” already.` : problemOf(() => assertTagName(name));

function problemOf(check: () => void): string | null {
  try {
    check();
    return null;
  } catch (error) {
    return isAppError(error) ? [error.message, error.hint].filter(Boolean).join(' ') : String(error);
  }
}

/** Why a branch cannot be deleted; `null` when it can. */
export function whyNotDeleted(
  branch: BranchInfo,
  { branches, tags }: { branches: readonly BranchInfo[]; tags: readonly TagInfo[] },
): string | null {
  if (branch.name === mainBranch) return 'main is the table itself.';
  if (branch.isProtected) return `${branch.name} is protected.`;
  const children = branches.filter(({ parent }) => parent?.branch === branch.name).map(({ name }) => name);
  if (children.length > 0)
    return `${children.join(', ')} ${children.length === 1 ? 'was' : 'were'} made from it.`;
  const named = tags.filter((tag) => tag.branch === branch.name).map(({ name }) => name);
  if (named.length > 0) return `The tag ${named.join(', ')} points at it.`;
  return null;
}

/** One place that a ref can point at, as the list of branches shows it. */
export interface RefOption {
  value: string;
  label: string;
  group: 'Branches' | 'Tags' | 'Version';
  ahead: number;
  isProtected: boolean;
  at: string | null;
}

export interface RefOptionsInput {
  branches: readonly BranchInfo[];
  tags: readonly TagInfo[];
  /** The ref of the address: a pinned version gets an entry of its own. */
  refText: string;
}

/** Main, the branches by their last change, the tags, and the version that is shown if it is none of these. */
export function listRefOptions({ branches, tags, refText }: RefOptionsInput): RefOption[] {
  const sorted = [...branches].sort(
    (a, b) =>
      Number(b.name === mainBranch) - Number(a.name === mainBranch) || b.updatedAt.localeCompare(a.updatedAt),
  );
  const shown: RefOption[] = [
    ...sorted.map(
      (branch): RefOption => ({
        value: branch.name,
        label: branch.name,
        group: 'Branches',
        ahead: commitsAhead(branch),
        isProtected: branch.isProtected,
        at: branch.updatedAt,
      }),
    ),
    ...tags.map(
      (tag): RefOption => ({
        value: `tag:${tag.name}`,
        label: tag.name,
        group: 'Tags',
        ahead: 0,
        isProtected: false,
        at: tag.createdAt,
      }),
    ),
  ];
  if (shown.some(({ value }) => value === refText)) return shown;
  return [
    {
      value: refText,
      label: describeRef(readRef(refText)),
      group: 'Version',
      ahead: 0,
      isProtected: false,
      at: null,
    },
    ...shown,
  ];
}

/** The ref of an address; an unreadable one names a branch that does not exist. */
export function readRef(text: string): Ref {
  try {
    return parseRef(text);
  } catch {
    return { kind: 'branch', branch: text };
  }
}

/** `main`, `exp · version 12`, `golden`. */
export const describeRef = (ref: Ref): string =>
  ref.kind === 'tag'
    ? ref.tag
    : ref.version === undefined
      ? ref.branch
      : `${ref.branch} · version ${ref.version}`;

/** The branch on whose head edits would land; `null` for tags and past versions. */
export function editableBranch(refText: string, branches: readonly BranchInfo[]): BranchInfo | null {
  const ref = readRef(refText);
  if (ref.kind === 'tag') return null;
  const branch = branches.find(({ name }) => name === ref.branch);
  return branch && (ref.version === undefined || ref.version === branch.version) ? branch : null;
}

/** `exp:12` for a branch at a version. */
export const pinnedText = (branch: string, version: number): string => formatRef({ branch, version });
