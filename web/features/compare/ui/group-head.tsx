import { Check, X } from 'lucide-react';
import { formatOf } from '../../../ui/format-quantity.ts';
import { Button, IconButton } from '../../../ui/index.ts';
import type { GridColumn } from '../../grid/index.ts';
import type { ChangeGroup } from '../model/groups.ts';
import styles from './compare-page.module.css';
import { GroupText } from './group-text.tsx';

export interface GroupHeadProps {
  group: ChangeGroup;
  columns: readonly GridColumn[];
  onSeen: () => void;
  onClose: () => void;
}

/** Which equal changes are shown, and one mark for all of them. */
export function GroupHead({ group, columns, onSeen, onClose }: GroupHeadProps) {
  return (
    <div className={styles.group}>
      <span className={styles.groupText}>
        <strong>{group.column}</strong> <GroupText group={group} columns={columns} />
      </span>
      <span className={styles.groupCount}>{formatOf(group.changeIds.length, 'row')}</span>
      <Button size="s" icon={<Check />} onClick={onSeen}>
        All seen
      </Button>
      <IconButton label="Show all changes" size="s" icon={<X />} onClick={onClose} />
    </div>
  );
}
