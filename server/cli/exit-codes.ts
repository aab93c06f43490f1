/** What the process ends with; scripts may rely on it. */
export const exitCode = {
  ok: 0,
  /** Something failed; the problem is on standard error. */
  failed: 1,
  /** The command cannot be understood. */
  usage: 2,
  /** `merge` or `diff` found conflicts; nothing was merged. */
  conflicts: 3,
  /** Ctrl-C. */
  cancelled: 130,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];
