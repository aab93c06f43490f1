import type { BranchInfo } from '#shared/api/tables.ts';
import { formatRef } from '#shared/domain/ref.ts';
import { callJson, refreshHeads } from '../../api/index.ts';
import { comparePath } from '../../state/addresses.ts';
import { openBranchStep } from '../../state/branch-steps.ts';
import { createBranch, type TableAction } from './actions.ts';

export interface VersionToTakeBack {
  /** A protected branch, which changes by merges only. */
  branch: string;
  version: number;
  /** What the version is about, for the new branch's name. */
  about: string;
  /** For the message of the new branch's step. */
  message: string;
  branches: readonly BranchInfo[];
}

/** `undo-fix-glosses`, `undo-fix-glosses-2`: free among the branches. */
export function undoBranchName(about: string, taken: readonly string[]): string {
  const stem = `undo-${about.replace(/[^\p{L}\p{N}._/-]+/gu, '-')}`;
  let name = stem;
  for (let count = 2; taken.includes(name); count += 1) name = `${stem}-${count}`;
  return name;
}

/** Takes a version of a protected branch back on a new branch, to be merged. Gives the address of that comparison. */
export async function revertOnNewBranch(
  { client, table }: TableAction,
  input: VersionToTakeBack,
): Promise<string> {
  const { branch, version, about, message, branches } = input;
  const head = branches.find(({ name }) => name === branch)?.version ?? version;
  const name = undoBranchName(
    about,
    branches.map((one) => one.name),
  );
  await createBranch(
    { client, table },
    { name, from: formatRef({ branch, version: Math.max(head, version) }) },
  );
  const { status } = await callJson('revert', {
    params: { table },
    body: { branch: name, versions: [version], message },
  });
  await refreshHeads(client, table);
  if (status === 'conflicts') openBranchStep({ kind: 'revert', table, branch: name, versions: [version] });
  return comparePath(table, name, branch);
}
