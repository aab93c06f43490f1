import type { JobRunner } from './jobs.ts';
import type { MediaMaker } from './media-maker.ts';
import type { MediaPlaces } from './media-places.ts';
import type { RowTrace } from './row-trace.ts';
import type { SourceFiles } from './source-files.ts';
import type { SqlEngine } from './sql-engine.ts';
import type { StudioStore } from './studio-store.ts';
import type { TableDiff } from './table-diff.ts';
import type { TableFacets } from './table-facets.ts';
import type { TableImporter } from './table-importer.ts';
import type { TableReader } from './table-reader.ts';
import type { TableWriter } from './table-writer.ts';

/** All that the use cases reach the world through. */
export interface Ports {
  reader: TableReader;
  writer: TableWriter;
  diff: TableDiff;
  trace: RowTrace;
  facets: TableFacets;
  importer: TableImporter;
  sql: SqlEngine;
  media: MediaMaker;
  places: MediaPlaces;
  store: StudioStore;
  files: SourceFiles;
  jobs: JobRunner;
  now: () => Date;
}
