import { parseRef } from '#shared/domain/ref.ts';
import { useTableSummary } from '../../../api/index.ts';
import { Button, Note } from '../../../ui/index.ts';

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
    <Note
      action={
        <Button size="s" onClick={onShow}>
          Show version {head.version}
        </Button>
      }
    >
      {ref.branch} has a newer version. These rows are version {shown.version}.
    </Note>
  );
}

function readRef(text: string) {
  try {
    return parseRef(text);
  } catch {
    return null;
  }
}
