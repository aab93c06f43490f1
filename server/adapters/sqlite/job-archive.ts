import type { DatabaseSync } from 'node:sqlite';
import type { JobArchive } from '../../ports/jobs.ts';

const keptJobs = 200;

/** The last jobs as JSON. One that has not ended is never dropped, so that a start can say what became of it. */
export function createJobArchive(database: DatabaseSync): JobArchive {
  const put = database.prepare(
    'INSERT INTO jobs (id, info) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET info = excluded.info',
  );
  const trim = database.prepare(`
    DELETE FROM jobs
    WHERE seq <= (SELECT seq FROM jobs ORDER BY seq DESC LIMIT 1 OFFSET ${keptJobs})
      AND info ->> 'state' NOT IN ('queued', 'running')`);
  const list = database.prepare('SELECT info FROM jobs ORDER BY seq DESC');
  return {
    keep(job) {
      put.run(job.id, JSON.stringify(job));
      trim.run();
    },
    list: () => list.all().map((row) => JSON.parse(String(row.info))),
  };
}
