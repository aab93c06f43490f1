/** What the process ends with; scripts may rely on it. */
export const exitCode = {
  ok: 0,
  /** Something failed; the problem is on standard error. */
  failed: 1,
  /** The command cannot be understood. */
  usage: 2,
  /** Conflicts were found; nothing was written. */
  conflicts: 3,
  /** A branch is not where it was expected; nothing was written. */
  moved: 4,
  /** A review is blocked: a required check fails, an approval is missing, …; nothing was written. */
  blocked: 5,
  /** Ctrl-C. */
  cancelled: 130,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];
