import type { Writable } from 'node:stream';
import type { Client } from '../client.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { Command } from '../parse-command.ts';

/** What a verb works with. */
export interface RunContext {
  command: Command;
  client: Client;
  /** Relative paths start here. */
  folder: string;
  out: Writable;
  err: NodeJS.WriteStream;
  /** Aborts at Ctrl-C. */
  signal: AbortSignal;
}

export type RunVerb = (context: RunContext) => Promise<ExitCode>;
