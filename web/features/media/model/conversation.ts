/** One turn of a chat. */
export interface ChatTurn {
  role: string;
  text: string;
  /** Parts that are no text, as JSON: pictures, calls of tools. */
  more: string | null;
}

const roleNames = ['role', 'from', 'author', 'speaker'];
const textNames = ['content', 'value', 'text', 'message'];

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Content that is text, or parts of which those of text count (`{type: "text", text}`). */
function readContent(content: unknown): { text: string; more: unknown[] } | null {
  if (typeof content === 'string') return { text: content, more: [] };
  if (content === null) return { text: '', more: [] };
  if (!Array.isArray(content)) return null;
  const isText = (part: unknown): part is { text: string } => isRecord(part) && typeof part.text === 'string';
  return {
    text: content
      .filter(isText)
      .map(({ text }) => text)
      .join('\n'),
    more: content.filter((part) => !isText(part)),
  };
}

/** A list of `{role, content}` (or `{from, value}`, or `{messages: […]}`) as turns; null where the value is no chat. */
export function parseConversation(value: unknown): ChatTurn[] | null {
  const list = isRecord(value) ? (value.messages ?? value.conversations) : value;
  if (!Array.isArray(list) || list.length === 0) return null;
  const turns: ChatTurn[] = [];
  for (const one of list) {
    if (!isRecord(one)) return null;
    const roleName = roleNames.find((name) => typeof one[name] === 'string');
    const textName = textNames.find((name) => name in one);
    const content = textName === undefined ? null : readContent(one[textName]);
    if (roleName === undefined || content === null) return null;
    const rest = Object.entries(one).filter(
      ([name, part]) => name !== roleName && name !== textName && part !== null,
    );
    const more = [...content.more, ...(rest.length > 0 ? [Object.fromEntries(rest)] : [])];
    turns.push({
      role: String(one[roleName]),
      text: content.text,
      more: more.length === 0 ? null : JSON.stringify(more.length === 1 ? more[0] : more, null, 2),
    });
  }
  return turns;
}

/** Whether a turn is of the person, the model, or neither. */
export function sideOf(role: string): 'person' | 'model' | 'other' {
  if (/^(user|human|person|prompter)$/i.test(role)) return 'person';
  return /^(assistant|gpt|model|bot|ai|chatgpt)$/i.test(role) ? 'model' : 'other';
}
