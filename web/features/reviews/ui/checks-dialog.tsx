import { useQueryClient } from '@tanstack/react-query';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Check } from '#shared/domain/checks.ts';
import { callJson } from '../../../api/index.ts';
import { showDone } from '../../../state/undo.ts';
import { Badge, Button, Dialog, ErrorNote, IconButton, Note, Skeleton } from '../../../ui/index.ts';
import { checkExamples } from '../model/check-rows.ts';
import { planCheckPut, planCheckRemoved } from '../model/edit-checks.ts';
import { reviewKeys, useTableChecks } from '../queries.ts';
import { CheckEditor } from './check-editor.tsx';
import styles from './dialogs.module.css';

export interface ChecksDialogProps {
  table: string;
  /** Where the checks are kept: the branch that receives. */
  branch: string;
  /** The check to begin with. */
  name?: string;
  /** The ref on which a check is tried. */
  tryOn?: string;
  onClose: () => void;
}

/** The checks of a table: add, change, try and delete them. */
export function ChecksDialog({ table, branch, name, tryOn = branch, onClose }: ChecksDialogProps) {
  const client = useQueryClient();
  const { data, error, refetch } = useTableChecks(table, branch);
  const [editing, setEditing] = useState<string | 'new' | null>(name ?? null);
  const [start, setStart] = useState<Check | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const put = async (checks: Check[]) => {
    const kept = await callJson('putChecks', { params: { table }, body: { branch, checks } });
    client.setQueryData(reviewKeys.checks(table, branch), kept);
    void client.invalidateQueries({ queryKey: ['reviews', 'detail'] });
    void client.invalidateQueries({ queryKey: ['session'] });
  };
  const save = async (check: Check, before: string | null) => {
    if (!data) return;
    await put(planCheckPut(data.checks, check, before));
    setEditing(null);
  };
  const remove = async (check: Check) => {
    if (!data) return;
    const { checks } = data;
    setFailure(null);
    try {
      await put(planCheckRemoved(checks, check.name));
      showDone({
        label: `Deleted the check “${check.name}”`,
        undo: () => put(checks),
        redo: () => put(planCheckRemoved(checks, check.name)),
      });
    } catch (problem) {
      setFailure(problem);
    }
  };
  const begin = (example: Check | null) => {
    setStart(example);
    setEditing('new');
  };
  const checks = data?.checks ?? [];
  const taken = checks.map((check) => check.name);
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={`Checks of ${table}`}
      size="l"
      description={`What must hold for the rows before a review into ${branch} is merged. Kept with the table, on ${branch}.`}
      actions={<Button onClick={onClose}>Close</Button>}
    >
      <div className={styles.form}>
        {data?.notices.map((notice) => (
          <Note key={notice} tone="warn">
            {notice}
          </Note>
        ))}
        {!data && !error && <Skeleton height={80} />}
        {checks.length > 0 && (
          <ul className={styles.checks} aria-label="Checks">
            {checks.map((check) => (
              <li key={check.name} className={styles.check} aria-label={check.name}>
                {editing === check.name ? (
                  <CheckEditor
                    table={table}
                    tryOn={tryOn}
                    initial={check}
                    taken={taken.filter((one) => one !== check.name)}
                    onSave={(next) => save(next, check.name)}
                    onCancel={() => setEditing(null)}
                  />
                ) : (
                  <>
                    <div className={styles.checkHead}>
                      <span className={styles.checkName}>{check.name}</span>
                      <Badge>{check.severity === 'required' ? 'required' : 'warning only'}</Badge>
                      <Button size="s" onClick={() => setEditing(check.name)}>
                        Edit
                      </Button>
                      <IconButton
                        label={`Delete the check ${check.name}`}
                        size="s"
                        icon={<Trash2 />}
                        onClick={() => void remove(check)}
                      />
                    </div>
                    <code className={styles.checkText}>{check.where ?? check.sql}</code>
                  </>
                )}
              </li>
            ))}
          </ul>
        )}
        {data && editing === 'new' && (
          <CheckEditor
            key={start?.name ?? ''}
            table={table}
            tryOn={tryOn}
            initial={start}
            taken={taken}
            onSave={(next) => save(next, null)}
            onCancel={() => setEditing(null)}
          />
        )}
        {data && editing !== 'new' && (
          <div className={styles.examples}>
            <Button icon={<Plus />} onClick={() => begin(null)}>
              Add a check
            </Button>
            <span className={styles.quiet}>or begin with</span>
            {checkExamples(table).map((example) => (
              <Button key={example.name} size="s" onClick={() => begin(example)}>
                {example.name}
              </Button>
            ))}
          </div>
        )}
        <ErrorNote error={error} title="The checks cannot be read." onRetry={() => void refetch()} />
        <ErrorNote error={failure} title="Nothing was changed." />
      </div>
    </Dialog>
  );
}
