import * as z from 'zod';

const CheckName = z
  .string()
  .trim()
  .min(1)
  .max(80)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  .regex(/^[^\u0000-\u001f\u007f]+$/, 'has control characters');

/**
 * An expectation on the rows of a table, kept with the table. Exactly one of `where` (each row must satisfy it; a row
 * of which it is unknown passes, as with SQL's CHECK) and `sql` (a statement that returns the failing rows; the
 * table's own name means the rows to check, `"T@main"` a ref as it stands).
 */
export const Check = z
  .strictObject({
    name: CheckName,
    description: z.string().max(2000).default(''),
    where: z.string().min(1).max(100_000).optional(),
    sql: z.string().min(1).max(100_000).optional(),
    /** `required` keeps a merge from landing while it fails. */
    severity: z.enum(['required', 'warning']).default('required'),
  })
  .refine(({ where, sql }) => (where === undefined) !== (sql === undefined), {
    message: 'needs either `where` or `sql`, and not both',
  });
export type Check = z.infer<typeof Check>;

/** The checks of a table, in the order that people gave them. */
export const CheckList = z
  .array(Check)
  .max(100)
  .refine((checks) => new Set(checks.map(({ name }) => name.toLowerCase())).size === checks.length, {
    message: 'two checks have the same name',
  });
export type CheckList = z.infer<typeof CheckList>;

/** Reads what a table keeps (`curio:checks`); what is no list of checks is `null`, for the screen to say so. */
export function parseChecks(text: string | null | undefined): CheckList | null {
  if (text === null || text === undefined || text === '') return [];
  try {
    const parsed = CheckList.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Inverse of {@link parseChecks}; no checks are an empty text. */
export const formatChecks = (checks: CheckList): string =>
  checks.length === 0 ? '' : JSON.stringify(checks);
