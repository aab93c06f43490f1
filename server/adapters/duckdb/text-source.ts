import type { ImportOptions } from '#shared/api/jobs.ts';
import type { RowSource, SourceFile } from '../../arrow/row-source.ts';
import { openCsvSource } from './csv-source.ts';
import { openJsonSource } from './json-source.ts';

const maxColumns = 5_000;

/** Rows of text files of one format. */
export function openTextSource(
  files: readonly (SourceFile & { sizeBytes: number })[],
  format: 'csv' | 'tsv' | 'json' | 'ndjson',
  options: ImportOptions,
  signal: AbortSignal,
): Promise<RowSource> {
  if (format === 'json' || format === 'ndjson')
    return openJsonSource(files, { isLines: format === 'ndjson', maxColumns }, signal);
  const { hasHeader, encoding, nulls } = options;
  const delimiter = options.delimiter ?? (format === 'tsv' ? '\t' : undefined);
  return openCsvSource(files, { delimiter, hasHeader, encoding, nulls, maxColumns }, signal);
}
