import { fieldFacts } from '../api/wire.ts';
import { AnnotationFact } from './annotations/layout.ts';
import { ColumnRole } from './columns.ts';

/** What a column's Lance field metadata says about it; `null` or empty where it says nothing. */
export interface FieldFacts {
  role: ColumnRole | null;
  /** Position in the row key, from 1. */
  keyPosition: number | null;
  description: string;
  tags: string[];
  /** `null`: not said. */
  isHidden: boolean | null;
  /** `null`: not said. */
  annotations: AnnotationFact | null;
  tableDescription: string;
  /** The checks of the table as they are kept, unread; empty where there are none. */
  checks: string;
}

type Metadata = ReadonlyMap<string, string>;

function parseTags(text: string | undefined): string[] {
  if (!text) return [];
  try {
    const tags: unknown = JSON.parse(text);
    return Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [];
  } catch {
    return text
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== '');
  }
}

function parsePosition(text: string | undefined): number | null {
  if (text === undefined || text === '' || text === 'false') return null;
  const position = Number(text);
  return Number.isInteger(position) && position > 0 ? position : 1;
}

function parseAnnotations(text: string | undefined): AnnotationFact | null {
  if (!text) return null;
  try {
    return AnnotationFact.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** Reads the facts of a column; values that other programs wrote oddly count as not said. */
export function parseFieldFacts(metadata: Metadata): FieldFacts {
  const role = ColumnRole.safeParse(metadata.get(fieldFacts.role));
  const hidden = metadata.get(fieldFacts.hidden);
  return {
    role: role.success ? role.data : null,
    keyPosition: parsePosition(metadata.get(fieldFacts.key)),
    description: metadata.get(fieldFacts.description) ?? '',
    tags: parseTags(metadata.get(fieldFacts.tags)),
    isHidden: hidden === undefined ? null : hidden === 'true',
    annotations: parseAnnotations(metadata.get(fieldFacts.annotations)),
    tableDescription: metadata.get(fieldFacts.tableDescription) ?? '',
    checks: metadata.get(fieldFacts.checks) ?? '',
  };
}

/** Inverse of {@link parseFieldFacts} for the facts given; `null` means that the entry is to go. */
export function formatFieldFacts(facts: Partial<FieldFacts>): Record<string, string | null> {
  const { role, keyPosition, description, tags, isHidden, annotations, tableDescription, checks } = facts;
  return {
    ...(role === undefined ? {} : { [fieldFacts.role]: role }),
    ...(keyPosition === undefined
      ? {}
      : { [fieldFacts.key]: keyPosition === null ? null : String(keyPosition) }),
    ...(description === undefined
      ? {}
      : { [fieldFacts.description]: description === '' ? null : description }),
    ...(tags === undefined ? {} : { [fieldFacts.tags]: tags.length === 0 ? null : JSON.stringify(tags) }),
    ...(annotations === undefined
      ? {}
      : { [fieldFacts.annotations]: annotations === null ? null : JSON.stringify(annotations) }),
    ...(isHidden === undefined ? {} : { [fieldFacts.hidden]: isHidden === null ? null : String(isHidden) }),
    ...(tableDescription === undefined
      ? {}
      : { [fieldFacts.tableDescription]: tableDescription === '' ? null : tableDescription }),
    ...(checks === undefined ? {} : { [fieldFacts.checks]: checks === '' ? null : checks }),
  };
}
