import { type ChatTurn, parseConversation } from './conversation.ts';

/** How a text can be read: as it is, as Markdown, as JSON, as a chat. */
export type TextReading =
  | { kind: 'plain' }
  | { kind: 'markdown' }
  | { kind: 'json'; value: unknown }
  | { kind: 'chat'; turns: ChatTurn[] };

const markdownMarks = [
  /^#{1,6} \S/m,
  /^(```|~~~)/m,
  /^\s*[-*+] \S/m,
  /^\s*\d+\. \S/m,
  /\[[^\]\n]+\]\([^)\n]+\)/,
  /\*\*[^*\n]+\*\*/,
  /^\|.+\|\s*$\n^\|[\s:|-]+\|\s*$/m,
];

/** The ways in which a text can be read, the most telling first; plain is always among them. */
export function readingsOf(text: string): TextReading[] {
  const readings: TextReading[] = [];
  if (/^\s*[[{]/.test(text)) {
    try {
      const value: unknown = JSON.parse(text);
      const turns = parseConversation(value);
      if (turns) readings.push({ kind: 'chat', turns });
      readings.push({ kind: 'json', value });
    } catch {
      // It only begins like JSON.
    }
  }
  const marks = markdownMarks.filter((mark) => mark.test(text)).length;
  if (marks >= 2 || (marks === 1 && /^#{1,6} \S/m.test(text))) readings.push({ kind: 'markdown' });
  return [...readings, { kind: 'plain' }];
}

/** Where a word stands in a text, without regard to upper and lower case, up to `most` places. */
export function findInText(text: string, word: string, most = 1000): { starts: number[]; isCut: boolean } {
  const starts: number[] = [];
  if (word === '') return { starts, isCut: false };
  const pattern = new RegExp(word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'giu');
  for (const { index } of text.matchAll(pattern)) {
    if (starts.length === most) return { starts, isCut: true };
    starts.push(index);
  }
  return { starts, isCut: false };
}
