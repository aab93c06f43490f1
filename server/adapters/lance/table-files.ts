import { mainBranch } from '#shared/domain/ref.ts';

/** Where Lance keeps the files of a table, relative to the home. */
export const tableFolder = (table: string): string => `${table}.lance`;

export const branchFolder = (table: string, branch: string): string =>
  branch === mainBranch ? tableFolder(table) : `${tableFolder(table)}/tree/${branch}`;

export const versionsFolder = (table: string, branch: string): string =>
  `${branchFolder(table, branch)}/_versions`;

export const branchesFolder = (table: string): string => `${tableFolder(table)}/_refs/branches`;
export const tagsFolder = (table: string): string => `${tableFolder(table)}/_refs/tags`;

const maxVersion = 0xffff_ffff_ffff_ffffn;
const inverseDigits = 20;

/** Manifests are named by 2^64-1 minus the version, so that the newest comes first; older tables by the version itself. */
export const manifestNames = (version: number): string[] => [
  `${(maxVersion - BigInt(version)).toString().padStart(inverseDigits, '0')}.manifest`,
  `${version}.manifest`,
];

/** The version that a manifest's file name stands for, or null for other files. */
export function versionOfManifest(fileName: string): number | null {
  const digits = /^(\d+)\.manifest$/.exec(fileName)?.[1];
  if (digits === undefined) return null;
  return digits.length === inverseDigits ? Number(maxVersion - BigInt(digits)) : Number(digits);
}
