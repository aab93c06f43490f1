import type { Check, CheckList } from '#shared/domain/checks.ts';

/** A check as its form holds it: the text is either a condition or a statement. */
export interface CheckDraft {
  name: string;
  description: string;
  kind: 'where' | 'sql';
  text: string;
  severity: Check['severity'];
}

export const toDraft = (check: Check | null): CheckDraft => ({
  name: check?.name ?? '',
  description: check?.description ?? '',
  kind: check?.sql === undefined ? 'where' : 'sql',
  text: check?.where ?? check?.sql ?? '',
  severity: check?.severity ?? 'required',
});

/** Inverse of {@link toDraft}. */
export const toCheck = ({ name, description, kind, text, severity }: CheckDraft): Check => ({
  name: name.trim(),
  description: description.trim(),
  ...(kind === 'where' ? { where: text.trim() } : { sql: text.trim() }),
  severity,
});

/** Why a draft cannot be kept; `null` when it can. */
export function whyNotKept({ name, text, kind }: CheckDraft, taken: readonly string[]): string | null {
  if (name.trim() === '') return 'Give the check a name.';
  if (taken.some((one) => one.toLowerCase() === name.trim().toLowerCase()))
    return `There is a check “${name.trim()}” already.`;
  if (text.trim() === '')
    return kind === 'where'
      ? 'Say what rows must satisfy.'
      : 'Write the statement that returns failing rows.';
  return null;
}

/** The list with a check in the place of the one that was called `before`, or at its end. */
export const planCheckPut = (checks: CheckList, check: Check, before: string | null): CheckList =>
  before !== null && checks.some(({ name }) => name === before)
    ? checks.map((one) => (one.name === before ? check : one))
    : [...checks, check];

export const planCheckRemoved = (checks: CheckList, name: string): CheckList =>
  checks.filter((check) => check.name !== name);
