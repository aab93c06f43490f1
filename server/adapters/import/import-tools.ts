import type { ImportOptions } from '#shared/api/jobs.ts';
import type { Schema } from '../../arrow/arrow.ts';
import type { RowSource, SourceFile } from '../../arrow/row-source.ts';
import type { StagedTable } from '../../arrow/staged-table.ts';
import type { InspectPicture } from './media/media-source.ts';

export type SizedFile = SourceFile & { sizeBytes: number };
export type TextFormat = 'csv' | 'tsv' | 'json' | 'ndjson';

/** What an import is made with; `server/engines/import-engine.ts` composes it. */
export interface ImportTools {
  stage(stagingId: string, schema: Schema): StagedTable;
  openText(
    files: readonly SizedFile[],
    format: TextFormat,
    options: ImportOptions,
    signal: AbortSignal,
  ): Promise<RowSource>;
  /** For Parquet that the usual reader does not know. */
  openOddParquet(file: SizedFile, signal: AbortSignal): Promise<RowSource>;
  inspectPicture: InspectPicture;
  /** Fetches an address into a file of the folder. */
  download(
    url: string,
    folder: string,
    onBytes: (bytes: number) => void,
    signal: AbortSignal,
  ): Promise<string>;
  /** A place for downloads that lasts as long as the import. */
  makeFolder(stagingId: string): Promise<{ path: string; remove(): Promise<void> }>;
}
