import { expect } from 'vitest';
import type { JobInfo } from '#shared/api/jobs.ts';
import type { Problem } from '#shared/api/problem.ts';
import type { CheckRun, Comment } from '#shared/api/review-parts.ts';
import type { Review, ReviewList } from '#shared/api/reviews.ts';
import type { Check } from '#shared/domain/checks.ts';
import type { Animals } from './animals.ts';

type CheckInput = Partial<Check> & { name: string };

/** What a reviewer does, over HTTP, on the table of the test. */
export class ReviewDriver {
  #animals: Animals;

  constructor(animals: Animals) {
    this.#animals = animals;
  }

  async send<T>(method: string, path: string, body?: unknown, status = 200): Promise<T> {
    const response = await this.#animals.server.get(`/api/v1${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    });
    const answer = response.status === 204 ? null : await response.json();
    expect([response.status, response.status === status ? null : answer]).toEqual([status, null]);
    return answer as T;
  }

  /** The problem that a request is refused with. */
  refused(status: number, method: string, path: string, body?: unknown): Promise<Problem> {
    return this.send<Problem>(method, path, body, status);
  }

  open(more: Record<string, unknown> = {}): Promise<Review> {
    const { table } = this.#animals;
    return this.send('POST', '/reviews', { table, from: 'exp', title: 'Count legs', ...more }, 201);
  }

  get(id: string): Promise<Review> {
    return this.send('GET', `/reviews/${id}`);
  }

  list(query: string): Promise<ReviewList> {
    return this.send('GET', `/reviews?${query}`);
  }

  act(id: string, verb: string, body: unknown = {}): Promise<Review> {
    return this.send('POST', `/reviews/${id}/${verb}`, body);
  }

  merge(id: string, body: unknown = {}): Promise<{ review: Review; merge: Record<string, unknown> }> {
    return this.send('POST', `/reviews/${id}/merge`, body);
  }

  comment(id: string, body: unknown): Promise<Comment> {
    return this.send('POST', `/reviews/${id}/comments`, body, 201);
  }

  rules(rules: Record<string, unknown>, protectedBranches?: string[]): Promise<unknown> {
    return this.send('PUT', `/tables/${this.#animals.table}/review-rules`, { rules, protectedBranches });
  }

  keepChecks(checks: CheckInput[], branch = 'main'): Promise<unknown> {
    return this.send('PUT', `/tables/${this.#animals.table}/checks`, { branch, checks });
  }

  /** Runs the checks of a review to their end. */
  async check(id: string, body: unknown = {}): Promise<CheckRun> {
    const { job } = await this.send<{ job: { id: string } }>('POST', `/reviews/${id}/checks`, body, 202);
    return (await this.ended(job.id)).result as CheckRun;
  }

  async ended(jobId: string): Promise<JobInfo> {
    let last: JobInfo | null = null;
    const { signal } = new AbortController();
    for await (const job of this.#animals.server.ports.jobs.follow(jobId, signal)) last = job;
    expect(last).toMatchObject({ state: 'done' });
    return last!;
  }
}
