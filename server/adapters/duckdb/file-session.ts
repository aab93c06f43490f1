import { randomUUID } from 'node:crypto';
import { mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { abortedError } from '#shared/api/problem.ts';
import { quoteText } from '#shared/sql/literal.ts';

/** A DuckDB that can read the given files and nothing else. */
export interface FileSession {
  connection: DuckDBConnection;
  /** The names under which DuckDB knows the files: theirs may have characters that it takes for patterns. */
  names: string[];
  /** Interrupts what runs when the signal aborts, and then throws ABORTED. */
  guard<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const settings = { memory_limit: '1GB', threads: '2', autoinstall_known_extensions: 'false' };

/** Opens a session over files; it must be closed. */
export async function openFileSession(paths: readonly string[]): Promise<FileSession> {
  const folder = await mkdtemp(join(tmpdir(), 'curio-import-'));
  try {
    const names: string[] = [];
    const targets: string[] = [];
    for (const path of paths) {
      const name = join(folder, randomUUID());
      const target = await realpath(path);
      await symlink(target, name);
      names.push(name);
      targets.push(target);
    }
    const instance = await DuckDBInstance.create(':memory:', settings);
    const connection = await instance.connect();
    await connection.run(`SET allowed_paths = [${[...names, ...targets].map(quoteText).join(', ')}]`);
    await connection.run(
      "SET enable_external_access = false; SET TimeZone = 'UTC'; SET lock_configuration = true",
    );
    return {
      connection,
      names,
      guard: (signal, work) => guard(connection, signal, work),
      async close() {
        connection.closeSync();
        instance.closeSync();
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function guard<T>(
  connection: DuckDBConnection,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const interrupt = () => connection.interrupt();
  signal.throwIfAborted();
  signal.addEventListener('abort', interrupt, { once: true });
  try {
    return await work();
  } catch (error) {
    throw signal.aborted ? abortedError() : error;
  } finally {
    signal.removeEventListener('abort', interrupt);
  }
}
