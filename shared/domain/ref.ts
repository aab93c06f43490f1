import * as z from 'zod';
import { AppError } from '../api/problem.ts';

/** What a person names: a branch's head, a branch at a version, or a tag. */
export type Ref = { kind: 'branch'; branch: string; version?: number } | { kind: 'tag'; tag: string };

/** A ref whose rows can never change. */
export const PinnedRef = z.object({ branch: z.string(), version: z.number() });
export type PinnedRef = z.infer<typeof PinnedRef>;

export const mainBranch = 'main';

const tagPrefix = 'tag:';

const badRef = (text: string, why: string): AppError =>
  new AppError({
    code: 'BAD_REQUEST',
    message: `“${text}” is not a ref: ${why}.`,
    hint: 'A ref is a branch (main), a branch at a version (exp:12) or a tag (tag:golden).',
  });

/** Reads `main`, `exp`, `exp:12` or `tag:golden`; an empty text is `main`. Throws BAD_REQUEST. */
export function parseRef(text: string): Ref {
  if (text === '') return { kind: 'branch', branch: mainBranch };
  if (text.startsWith(tagPrefix)) {
    const tag = text.slice(tagPrefix.length);
    if (tag === '') throw badRef(text, 'the tag has no name');
    return { kind: 'tag', tag };
  }
  const colon = text.lastIndexOf(':');
  if (colon === -1) return { kind: 'branch', branch: text };
  const branch = text.slice(0, colon);
  const digits = text.slice(colon + 1);
  if (branch === '') throw badRef(text, 'the branch has no name');
  if (!/^[1-9][0-9]{0,14}$/.test(digits)) throw badRef(text, 'a version is a whole number from 1');
  return { kind: 'branch', branch, version: Number(digits) };
}

/** Inverse of {@link parseRef}. */
export function formatRef(ref: Ref | PinnedRef): string {
  if ('kind' in ref && ref.kind === 'tag') return tagPrefix + ref.tag;
  return ref.version === undefined ? ref.branch : `${ref.branch}:${ref.version}`;
}
