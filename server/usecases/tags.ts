import { AppError, notFound } from '#shared/api/problem.ts';
import type { TagInfo } from '#shared/api/tables.ts';
import { assertTagName } from '#shared/domain/names.ts';
import { didYouMean } from '#shared/domain/near-names.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import { tagMessageFact, toTagInfo } from './branch-info.ts';
import { readSealedHeads, resolveRef } from './resolve-ref.ts';
import { withTableTurn } from './table-turns.ts';

type TagPorts = Pick<Ports, 'reader' | 'writer' | 'store'>;

const maxMessageLength = 10_000;

export async function listTags(ports: TagPorts, table: string, context: CallContext): Promise<TagInfo[]> {
  const { uuid, tags } = await readSealedHeads(ports, table, context);
  return tags.map((tag) => toTagInfo(ports, uuid, tag));
}

/** Names a version of any branch. Lance keeps no message with a tag; it stands in the studio's store. */
export async function createTag(
  ports: TagPorts,
  { table, name, ref: refText, message }: { table: string; name: string; ref: string; message?: string },
  context: CallContext,
): Promise<TagInfo> {
  assertTagName(name);
  const text = message?.trim() ?? '';
  if (text.length > maxMessageLength)
    throw new AppError({
      code: 'BAD_REQUEST',
      message: 'The message of the tag is longer than 10,000 characters.',
    });
  return withTableTurn(table, context.signal, async () => {
    const { ref, heads, uuid } = await resolveRef(ports, table, refText, context);
    if (heads.tags.some((tag) => tag.name === name))
      throw new AppError({
        code: 'EXISTS',
        message: `${table} has a tag ${name} already.`,
        hint: 'Choose another name, or delete the tag first.',
      });
    await ports.writer.createTag({ table, name, ref }, context);
    ports.store.facts.set(tagMessageFact(uuid, name), text === '' ? null : text);
    const tag = (await readSealedHeads(ports, table, context)).tags.find(
      (candidate) => candidate.name === name,
    );
    if (!tag) throw notFound(`The tag ${name}`);
    return toTagInfo(ports, uuid, tag);
  });
}

/** Takes a name away; the version stays. */
export async function deleteTag(
  ports: TagPorts,
  { table, name }: { table: string; name: string },
  context: CallContext,
): Promise<void> {
  assertTagName(name);
  await withTableTurn(table, context.signal, async () => {
    const { uuid, tags } = await readSealedHeads(ports, table, context);
    const names = tags.map((tag) => tag.name);
    if (!names.includes(name)) throw notFound(`The tag ${name} of ${table}`, didYouMean(name, names));
    await ports.writer.deleteTag({ table, name }, context);
    ports.store.facts.set(tagMessageFact(uuid, name), null);
  });
}
