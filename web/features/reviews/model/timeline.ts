import type { Comment, ReviewEvent } from '#shared/api/review-parts.ts';
import { formatOf } from '../../../ui/format-quantity.ts';

/** One entry of the conversation: a thread, or what happened in between. */
export type TimelineItem =
  | { kind: 'thread'; id: string; at: string; thread: Comment }
  | { kind: 'event'; id: string; at: string; events: readonly [ReviewEvent, ...ReviewEvent[]] };

const gathered: ReadonlySet<ReviewEvent['kind']> = new Set(['changed', 'edited', 'checks-run']);

/** Told by the threads themselves, or by the head of the page. */
const told: ReadonlySet<ReviewEvent['kind']> = new Set(['commented', 'resolved', 'unresolved', 'opened']);

/** Threads and events by time; events of one kind and person that follow one another are one entry. */
export function buildTimeline(
  threads: readonly Comment[],
  events: readonly ReviewEvent[],
  isShown: (thread: Comment) => boolean = () => true,
): TimelineItem[] {
  const items: TimelineItem[] = [
    ...threads
      .filter(isShown)
      .map((thread): TimelineItem => ({ kind: 'thread', id: thread.id, at: thread.at, thread })),
    ...events
      .filter((event) => !told.has(event.kind) && !isSilent(event))
      .map((event): TimelineItem => ({ kind: 'event', id: event.id, at: event.at, events: [event] })),
  ].sort((a, b) => a.at.localeCompare(b.at));
  const shown: TimelineItem[] = [];
  for (const item of items) {
    const last = shown.at(-1);
    if (item.kind === 'event' && last?.kind === 'event' && canJoin(last.events[0], item.events[0]))
      shown[shown.length - 1] = { ...last, at: item.at, events: [...last.events, ...item.events] };
    else shown.push(item);
  }
  return shown;
}

/** A version that changed no row and says nothing: an index, a compaction, one half of a step. */
const isSilent = ({ kind, body, changed }: ReviewEvent): boolean =>
  kind === 'changed' &&
  !body &&
  changed !== undefined &&
  changed.inserted + changed.updated + changed.deleted === 0;

const canJoin = (a: ReviewEvent, b: ReviewEvent): boolean =>
  a.kind === b.kind && a.author === b.author && gathered.has(a.kind);

const listOf = (names: readonly string[] | undefined): string =>
  names === undefined || names.length === 0 ? 'nobody' : names.join(', ');

/** What was said with an event; what the page says elsewhere is left out. */
export function bodyOfEvent(
  { kind, body }: ReviewEvent,
  { title, id }: { title: string; id: string },
): string {
  if (!body || kind === 'changed') return '';
  return kind === 'merged' && body === `${title} (review ${id})` ? '' : body;
}

/** What happened, after the name of who did it: `approved version 12`. */
export function describeEvents(
  events: readonly [ReviewEvent, ...ReviewEvent[]],
  { from, into }: { from: string; into: string },
): string {
  const last = events.at(-1) ?? events[0];
  const version = last.version === undefined ? '' : ` version ${last.version}`;
  switch (last.kind) {
    case 'opened':
      return 'opened the review';
    case 'edited':
      return 'changed what the review says';
    case 'reviewers':
      return `asked ${listOf(last.names)} to review`;
    case 'commented':
      return 'commented';
    case 'resolved':
      return 'resolved a thread';
    case 'unresolved':
      return 'opened a thread again';
    case 'approved':
      return `approved${version}`;
    case 'changes-requested':
      return version ? `asked for changes to${version}` : 'asked for changes';
    case 'withdrew':
      return 'took their verdict back';
    case 'changed':
      return describeSteps(events, from);
    case 'checks-run':
      return describeRun(last);
    case 'merged':
      return `merged it into ${into}${version && ` as${version}`}`;
    case 'closed':
      return 'closed it without a merge';
    case 'reopened':
      return 'opened it again';
    case 'branch-deleted':
      return `deleted the branch ${from}`;
  }
}

function describeSteps(events: readonly ReviewEvent[], from: string): string {
  if (events.length > 1) return `made ${formatOf(events.length, 'commit')} on ${from}`;
  const [event] = events;
  const { inserted = 0, updated = 0, deleted = 0 } = event?.changed ?? {};
  const parts = [
    updated > 0 && `${formatOf(updated, 'row')} changed`,
    inserted > 0 && `${formatOf(inserted, 'row')} added`,
    deleted > 0 && `${formatOf(deleted, 'row')} removed`,
  ].filter(Boolean);
  const version = event?.version === undefined ? '' : ` · version ${event.version}`;
  return `changed ${from}${parts.length > 0 ? `: ${parts.join(', ')}` : ''}${version}`;
}

function describeRun({ checks }: ReviewEvent): string {
  if (!checks) return 'ran the checks';
  const { passed, failed, errors } = checks;
  const parts = [
    passed > 0 && `${passed} passed`,
    failed > 0 && `${failed} failed`,
    errors > 0 && `${errors} could not be run`,
  ].filter(Boolean);
  return parts.length === 0 ? 'ran the checks' : `ran the checks: ${parts.join(', ')}`;
}
