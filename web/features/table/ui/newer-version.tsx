import { parseRef } from '#shared/domain/ref.ts';
import { useTableSummary } from '../../../api/index.ts';
import styles from './table.module.css';

export interface NewerVersionProps {
  table: string;
  refText: string;
  /** What is on the screen. */
  pinnedRef: string | null;
  onShow: () => void;
}

/** Says that the branch went on elsewhere since these rows were read. What is on the screen never changes by itself. */
export function NewerVersion({ table, refText, pinnedRef, onShow }: NewerVersionProps) {
  const branches = useTableSummary(table)?.branches;
  const ref = readRef(refText);
  const shown = pinnedRef === null ? null : readRef(pinnedRef);
  if (
    ref?.kind !== 'branch' ||
    ref.version !== undefined ||
    shown?.kind !== 'branch' ||
    shown.version === undefined
  )
    return null;
  const head = branches?.find((branch) => branch.name === ref.branch);
  if (!head || head.version <= shown.version) return null;
  return (
    <span role="status" aria-label="Newer version" className={styles.newer}>
      {ref.branch} went on to version {head.version}; these rows are version {shown.version}.
      <button type="button" className={styles.newerShow} onClick={onShow}>
        Show version {head.version}
      </button>
    </span>
  );
}

function readRef(text: string) {
  try {
    return parseRef(text);
  } catch {
    return null;
  }
}
