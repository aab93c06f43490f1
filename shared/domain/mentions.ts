const code = /```[\s\S]*?(```|$)|`[^`\n]*`/g;
const mention = /(?<![\p{L}\p{N}_@./-])@([\p{L}\p{N}_](?:[\p{L}\p{N}_.-]*[\p{L}\p{N}_])?)/gu;

/** The names that a text calls by `@name`, each once, in their order; not in code, and not in mail addresses. */
export function parseMentions(text: string): string[] {
  const names = [...text.replace(code, ' ').matchAll(mention)].map((match) => match[1]!);
  return [...new Set(names)];
}
