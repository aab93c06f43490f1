import * as z from 'zod';
import { defineContract, json } from './contract-kit.ts';
import { JobInfo } from './jobs.ts';
import { TableSummary } from './tables.ts';

export const Session = z.object({
  version: z.string(),
  principal: z.object({ name: z.string(), kind: z.enum(['local']) }),
  /** Actions that the principal may do, as `server/usecases/authorize.ts` names them. */
  may: z.array(z.string()),
  tables: z.array(TableSummary),
  /** Jobs that are queued or running. */
  jobs: z.array(JobInfo),
  /** Open reviews: all of them, and by table. */
  reviews: z.object({ open: z.number(), tables: z.record(z.string(), z.number()) }).optional(),
  /** What a person must know about this place, with the way out: the tables were moved, … */
  notices: z.array(z.string()),
});
export type Session = z.infer<typeof Session>;

export const sessionApi = defineContract({
  health: {
    method: 'GET',
    path: '/healthz',
    summary: 'Whether the server is up',
    reply: json(z.object({ status: z.literal('ok'), version: z.string() })),
  },
  session: {
    method: 'GET',
    path: '/api/v1/session',
    summary: 'All that the first screen needs',
    reply: json(Session),
  },
});
