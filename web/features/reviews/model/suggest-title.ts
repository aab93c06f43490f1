import type { VersionInfo } from '#shared/api/tables.ts';

export interface Suggestion {
  title: string;
  description: string;
}

const quiet: ReadonlySet<string> = new Set(['index', 'compaction', 'create', 'import', 'other']);
const maxTitle = 200;
const maxLines = 30;

/** `fix/empty_glosses` → `Fix empty glosses`. */
export function titleOfBranch(branch: string): string {
  const words = branch.replace(/[/_.-]+/g, ' ').trim();
  return words === '' ? branch : words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * A title and a description out of the messages of a branch's own steps, newest first. One step gives the title; of
 * several the branch's name does, and the messages are a list, with how many were left out.
 */
export function suggestReview(branch: string, versions: readonly VersionInfo[]): Suggestion {
  const messages = versions
    .filter((version) => version.branch === branch && !quiet.has(version.kind))
    .map(({ message }) => message?.trim() ?? '')
    .filter((message) => message !== '')
    .reverse();
  const different = [...new Set(messages)];
  const [only] = different;
  if (only !== undefined && different.length === 1) {
    const [first = '', ...rest] = only.split('\n');
    return { title: first.slice(0, maxTitle), description: rest.join('\n').trim() };
  }
  const lines = different.slice(0, maxLines).map((message) => `- ${message.split('\n')[0]}`);
  const left = different.length - lines.length;
  return {
    title: titleOfBranch(branch).slice(0, maxTitle),
    description: [...lines, ...(left > 0 ? [`- and ${left} more`] : [])].join('\n'),
  };
}
