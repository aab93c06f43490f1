import { useJobsWatch } from '../queries.ts';

/** Follows what runs and says when it is done; shows nothing. Once per app. */
export function JobsWatch() {
  useJobsWatch();
  return null;
}
