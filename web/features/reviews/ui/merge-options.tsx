import { ChevronUp } from 'lucide-react';
import { Button, Checkbox, IconButton, Popover, TextField } from '../../../ui/index.ts';
import { useReviewScene } from '../review-scene.ts';
import styles from './merge-box.module.css';

export interface MergeOptions {
  message: string;
  squash: boolean;
  deleteBranch: boolean;
}

export interface MergeOptionsButtonProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  options: MergeOptions;
  onChange: (options: MergeOptions) => void;
  whyNot: string | null;
  onMerge: () => void;
}

/** How it is merged: message, squashed or not, and whether the branch goes. */
export function MergeOptionsButton({
  isOpen,
  onOpenChange,
  options,
  onChange,
  whyNot,
  onMerge,
}: MergeOptionsButtonProps) {
  const { review } = useReviewScene();
  const { rules, may, from, into, title } = review;
  return (
    <Popover
      label="How to merge"
      side="top"
      align="end"
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      trigger={<IconButton label="How to merge" keys="m" icon={<ChevronUp />} />}
    >
      <form
        className={styles.options}
        onSubmit={(event) => {
          event.preventDefault();
          onMerge();
        }}
      >
        <TextField
          label="Message"
          value={options.message}
          onChange={(message) => onChange({ ...options, message })}
          placeholder={title}
          hint={`Stands in the history of ${into}`}
        />
        {rules.squash === 'choose' ? (
          <Checkbox
            label="Squash: keep no record of the branch’s single steps"
            isChecked={options.squash}
            onChange={(squash) => onChange({ ...options, squash })}
          />
        ) : (
          <p className={styles.hint}>
            {rules.squash === 'always'
              ? 'By the rules of the table no record is kept of the branch’s single steps.'
              : 'By the rules of the table the branch’s single steps stay in the record.'}
          </p>
        )}
        <Checkbox
          label={`Delete ${from} afterwards`}
          isChecked={options.deleteBranch}
          isDisabled={!may.deleteBranch}
          onChange={(deleteBranch) => onChange({ ...options, deleteBranch })}
        />
        <Button look="primary" type="submit" whyNot={whyNot} keys="Enter">
          Merge into {into}
        </Button>
      </form>
    </Popover>
  );
}
