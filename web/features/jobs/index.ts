export { describeEnd, formatProgress, isEnded, tableResultOf } from './model.ts';
export { cancelJob, useJobs } from './queries.ts';
export { receiveJob, resetJobs, useLiveJob, useLiveJobs, watchJob } from './store.ts';
export { JobProgress } from './ui/job-progress.tsx';
export { JobsPage } from './ui/jobs-page.tsx';
export { JobsWatch } from './ui/jobs-watch.tsx';
