import { type Connection, connect } from '@lancedb/lancedb';
import { teachLargeLists } from './large-lists.ts';
import { createTableStorage, type TableStorage } from './table-storage.ts';

/** The place where the tables are, as files. */
export interface StoredHome {
  path: string;
  storage: TableStorage;
}

/** The place where the tables are. */
export interface LanceHome extends StoredHome {
  connection: Connection;
}

/** For tables that Curio makes: stable row ids cannot be turned on later. */
export const newTableOptions = { newTableEnableStableRowIds: 'true' } as const;

/**
 * Connects to a home. With an interval of 0 a handle never works on an old version by mistake: without it a stale
 * handle's update or merge silently hits the version that it was opened at.
 */
export async function openHome(path: string): Promise<LanceHome> {
  teachLargeLists();
  const storage = createTableStorage(path);
  const connection = await connect(path, {
    readConsistencyInterval: 0,
    storageOptions: { ...newTableOptions },
  });
  return { path, connection, storage };
}
