import { Button, ProgressBar, TruthLine } from '../../../ui/index.ts';
import { describeScope } from '../model/describe-scope.ts';
import { type LinkedFacets, useDrafted } from '../use-facets.ts';
import styles from './facets.module.css';

/** What the counts cover; while all rows of a large table are counted, how far that is, with a way to stop it. */
export function FacetsScope({ label, ...props }: { label: string; linked: LinkedFacets }) {
  const linked = useDrafted(props.linked);
  const { answer, progress, isRefining, isStale, isStopped, stop, goOn } = linked;
  const isWaiting = isRefining && (isStale || answer?.isSample === true);
  return (
    <div className={styles.scopeLine}>
      <span role="status" aria-label={label}>
        <TruthLine parts={describeScope(linked)} />
      </span>
      {isWaiting && progress && (
        <>
          <Button size="s" look="quiet" onClick={stop}>
            Stop
          </Button>
          <ProgressBar
            className={styles.scopeProgress}
            label="Counting all rows"
            done={progress.done}
            total={progress.total}
          />
        </>
      )}
      {isStopped && (
        <Button size="s" look="quiet" onClick={goOn}>
          Count all rows
        </Button>
      )}
    </div>
  );
}
