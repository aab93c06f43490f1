/** How the memory of the server and all its engines is shared out. */
export interface MemoryPlan {
  /** What they may hold together. Above it idle engines are ended, the largest first. */
  totalBytes: number;
  /** What DuckDB may take in one engine of SQL, kept columns and the work of a statement together; more goes to disk. */
  sqlBytes: number;
  /** Columns of one statement, in memory and on disk. */
  sqlLoadBytes: number;
  /** Columns and conditions of facets that stay in memory. */
  facetBytes: number;
  /** An idle engine that has more than this after it gave back what it could is started anew. */
  idleBytes: { reader: number; sorter: number; facets: number; sql: number; other: number };
}

const megabyte = 1024 * 1024;
export const defaultMemoryMb = 2048;
/** Below this a statement or a sort would hardly have room. */
export const leastMemoryMb = 1024;
/** 16 TB; far above it DuckDB cannot read its limit. */
export const mostMemoryMb = 16 * 1024 * 1024;

/** What an engine has beside its caches: Node, the native libraries, batches on their way. */
const plainBytes = 300 * megabyte;

/**
 * One budget for all. The server, nine idle engines and the libraries that they share take some 450 MB; of the rest one
 * engine at a time works on something large, while what the others keep must fit beside it.
 */
export function planMemory(totalBytes: number): MemoryPlan {
  const share = (part: number): number => Math.floor(totalBytes * part);
  const [sqlBytes, facetBytes] = [share(0.3), share(0.25)];
  return {
    totalBytes,
    sqlBytes,
    sqlLoadBytes: Math.max(sqlBytes * 3, 8192 * megabyte),
    facetBytes,
    idleBytes: {
      reader: share(0.25),
      sorter: share(0.25) + plainBytes,
      facets: facetBytes + plainBytes,
      sql: sqlBytes + plainBytes,
      other: plainBytes,
    },
  };
}
