import {
  AudioLines,
  Binary,
  Braces,
  CalendarClock,
  Clapperboard,
  File,
  Hash,
  Image,
  KeyRound,
  Link,
  List,
  Tag,
  ToggleLeft,
  Type,
  Waypoints,
} from 'lucide-react';
import type { GridColumn } from '../model/grid-column.ts';

const roleGlyphs = { image: Image, mask: Image, video: Clapperboard, audio: AudioLines, label: Tag } as const;
const kindGlyphs = {
  media: File,
  text: Type,
  number: Hash,
  bool: ToggleLeft,
  time: CalendarClock,
  list: List,
  vector: Waypoints,
  struct: Braces,
  json: Braces,
  binary: Binary,
  url: Link,
} as const;

/** The small sign of a column's type. */
export function TypeGlyph({
  column,
  size = 13,
}: {
  column: Pick<GridColumn, 'kind' | 'role' | 'isKey'>;
  size?: number;
}) {
  const Glyph = column.isKey
    ? KeyRound
    : (roleGlyphs[column.role as keyof typeof roleGlyphs] ?? kindGlyphs[column.kind]);
  return <Glyph size={size} strokeWidth={1.75} aria-hidden style={{ flex: 'none', color: 'var(--ink-3)' }} />;
}
