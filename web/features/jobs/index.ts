export { queueOf } from './model.ts';
export { resetJobs, useLiveJobs, watchJob } from './store.ts';
export { JobProgress } from './ui/job-progress.tsx';
export { JobsPage } from './ui/jobs-page.tsx';
export { JobsWatch } from './ui/jobs-watch.tsx';
