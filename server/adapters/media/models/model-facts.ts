import { isAppError } from '#shared/api/problem.ts';
import type { ModelFact, ModelType } from '#shared/domain/models/model.ts';
import { readModelHead } from '#shared/domain/models/read-model.ts';
import { readHostile, thumbLimits } from './model-thumb.ts';

/** What a model says of itself: all of it where the whole file is there, else what its head says. */
export function readModelFacts(
  bytes: Uint8Array,
  { contentType, sizeBytes }: { contentType: ModelType; sizeBytes: number },
): ModelFact[] {
  if (bytes.byteLength < sizeBytes)
    return [
      ...readModelHead(bytes, contentType),
      { name: 'extent', value: 'not read: the file is too large to be read whole' },
    ];
  try {
    const { facts, notices } = readHostile(bytes, contentType, { ...thumbLimits, maxPoints: 1 });
    return [...facts, ...notices.map((value) => ({ name: 'note', value }))];
  } catch (error) {
    if (!isAppError(error) || error.code !== 'UNSUPPORTED_MEDIA') throw error;
    return [...readModelHead(bytes, contentType), { name: 'note', value: error.message }];
  }
}
