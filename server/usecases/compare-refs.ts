import type { DiffOverview, DiffRowsBody, DiffSummary } from '#shared/api/edits.ts';
import type { PinnedRef } from '#shared/domain/ref.ts';
import type { ByteStream, CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import type { DiffInput } from '../ports/table-diff.ts';
import { compileWhere } from './compile-where.ts';
import { findMergeBase } from './find-base.ts';
import { type ResolvedRef, resolveRef } from './resolve-ref.ts';

type ComparePorts = Pick<Ports, 'reader' | 'diff' | 'store'>;

export interface CompareInput {
  table: string;
  from: string;
  into: string;
  /** Instead of the merge base. */
  base?: string;
}

export interface ResolvedSides {
  from: ResolvedRef;
  into: ResolvedRef;
  base: PinnedRef | null;
  input: DiffInput;
}

/** Pins both refs and finds their base. Throws what `resolveRef` throws. */
export async function resolveSides(
  ports: Pick<Ports, 'reader' | 'store'>,
  { table, from: fromText, into: intoText, base: baseText }: CompareInput,
  context: CallContext,
): Promise<ResolvedSides> {
  const into = await resolveRef(ports, table, intoText, context);
  const from = await resolveRef(ports, table, fromText, context);
  const base =
    baseText === undefined
      ? findMergeBase(ports, { heads: into.heads, from: from.ref, into: into.ref })
      : (await resolveRef(ports, table, baseText, context)).ref;
  return { from, into, base, input: { table, base, from: from.ref, into: into.ref } };
}

/** What `from` changed since the base, in numbers. */
export async function compareRefs(
  ports: ComparePorts,
  input: CompareInput,
  context: CallContext,
): Promise<DiffSummary> {
  const sides = await resolveSides(ports, input, context);
  return ports.diff.summarize(sides.input, context);
}

/** How the values of changed columns moved, and which changes are equal. */
export async function compareOverview(
  ports: ComparePorts,
  input: CompareInput,
  context: CallContext,
): Promise<DiffOverview> {
  const sides = await resolveSides(ports, input, context);
  return ports.diff.overview(sides.input, context);
}

/** The changed rows with old and new cells, as an Arrow stream. */
export async function compareRows(
  ports: ComparePorts,
  { table, ...body }: DiffRowsBody & { table: string },
  context: CallContext,
): Promise<ByteStream> {
  const { from, into, base, ...window } = body;
  const sides = await resolveSides(ports, { table, from, into, base }, context);
  const where = await compileWhere(ports, { table, ref: sides.from.ref }, window.where, context);
  return ports.diff.rows({ ...sides.input, ...window, where }, context);
}
