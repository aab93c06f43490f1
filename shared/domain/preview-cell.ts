import type { SeenValue } from '../api/review-parts.ts';

const maxText = 200;
const maxItems = 12;
const maxFields = 12;
const maxDepth = 3;

interface Cut {
  isCut: boolean;
}

function preview(value: unknown, depth: number, cut: Cut): unknown {
  if (typeof value === 'string' && value.length > maxText) {
    cut.isCut = true;
    return `${value.slice(0, maxText)}…`;
  }
  if (value === null || typeof value !== 'object') return value;
  if (depth === maxDepth) {
    cut.isCut = true;
    return '…';
  }
  if (Array.isArray(value)) {
    if (value.length > maxItems && value.every((item) => typeof item === 'number')) {
      cut.isCut = true;
      return `${value.length} numbers`;
    }
    if (value.length > maxItems) cut.isCut = true;
    return value.slice(0, maxItems).map((item) => preview(item, depth + 1, cut));
  }
  const entries = Object.entries(value);
  if (entries.length > maxFields) cut.isCut = true;
  return Object.fromEntries(
    entries.slice(0, maxFields).map(([name, item]) => [name, preview(item, depth + 1, cut)]),
  );
}

/** A cell (JSON, as `?format=json` prints it) short enough to stand beside a comment; `isCut` says when it is not whole. */
export function previewCell(value: unknown): SeenValue {
  const cut: Cut = { isCut: false };
  return { preview: preview(value, 0, cut), isCut: cut.isCut };
}
