import type { Readable } from 'node:stream';
import type { Upload } from '#shared/api/jobs.ts';

/** A file or folder on the server, and what messages call it. */
export interface FoundSource {
  path: string;
  label: string;
}

/** Files that people name or upload, in the server's own process. */
export interface SourceFiles {
  /** What a path or glob names, relative to where the server was started. NOT_FOUND when there is nothing. */
  find(pattern: string, signal: AbortSignal): Promise<FoundSource[]>;
  /** Keeps a stream under a name that may have folders in it; uploads of one group stand in one folder. */
  keepUpload(input: { group: string; name: string; stream: Readable }, signal: AbortSignal): Promise<Upload>;
  /** All that a group has: its only file or folder, or the group as a folder without a name. */
  groupSource(group: string): Promise<FoundSource>;
  /** NOT_FOUND when it was never there, or is older than a day. */
  findUpload(id: string): Promise<FoundSource>;
  removeGroup(group: string): Promise<void>;
  /** Removes uploads that nobody will ask for any more. */
  sweep(signal: AbortSignal): Promise<void>;
}
