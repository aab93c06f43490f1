import type { CropBody } from '#shared/api/annotations.ts';
import { callJson } from '../../api/index.ts';
import { watchJob } from '../jobs/index.ts';

/** Starts the cutting of crops; the job shows among the others. */
export async function startCrops({
  table,
  body,
}: {
  table: string;
  body: Omit<CropBody, 'ref'> & { ref: string };
}): Promise<void> {
  const { job } = await callJson('cropRows', { params: { table }, body });
  watchJob(job);
}
