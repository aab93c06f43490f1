import type { JobInfo } from '#shared/api/jobs.ts';

export const isEnded = ({ state }: JobInfo): boolean => state !== 'queued' && state !== 'running';
