import { formatBytes } from '../../../ui/format-quantity.ts';
import { readBlobCell } from '../../grid/index.ts';
import type { CellSides } from './cell-sides.ts';
import { FullValue } from './full-value.tsx';
import { Pair } from './pair.tsx';
import { PictureDiff } from './picture-diff.tsx';
import { PlayersDiff } from './players-diff.tsx';
import { SoundDiff } from './sound-diff.tsx';

/** Media, old against new: pictures laid over each other, sound and film side by side, other bytes by their facts. */
export function MediaDiff({ column, before, after, beforeMedia, afterMedia }: CellSides) {
  const old = readBlobCell(before);
  const next = readBlobCell(after);
  if (old && next && beforeMedia && afterMedia && old.kind === next.kind) {
    const sides = { before: beforeMedia, after: afterMedia, label: column.name };
    const facts = { before: factsOf(old), after: factsOf(next) };
    if (old.kind === 'image') return <PictureDiff {...sides} facts={facts} />;
    if (old.kind === 'audio') return <SoundDiff {...sides} facts={facts} />;
    if (old.kind === 'video') return <PlayersDiff {...sides} facts={facts} />;
  }
  return (
    <Pair
      old={<FullValue column={column} value={before} media={beforeMedia} />}
      next={<FullValue column={column} value={after} media={afterMedia} />}
      note={old && next ? `${factsOf(old)} → ${factsOf(next)}` : null}
    />
  );
}

const factsOf = ({ contentType, sizeBytes }: { contentType: string | null; sizeBytes: number }): string =>
  [contentType?.replace(/^\w+\//, ''), formatBytes(sizeBytes)].filter(Boolean).join(', ');
