import type { Token } from './lexer.ts';
import { maxFilterDepth, syntaxProblem } from './source.ts';
import type { FilterExpr } from './syntax.ts';

/** Walks tokens and counts how deep the parser is, so that hostile nesting ends in a message and not in a full stack. */
export class Cursor {
  readonly #tokens: Token[];
  #at = 0;
  #depth = 0;
  #heights = new WeakMap<FilterExpr, number>();

  constructor(tokens: Token[]) {
    this.#tokens = tokens;
  }

  get next(): Token {
    return this.#tokens[this.#at] as Token;
  }

  peek(ahead: number): Token {
    return this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)] as Token;
  }

  take(): Token {
    const token = this.next;
    if (token.kind !== 'end') this.#at += 1;
    return token;
  }

  isSign(sign: string): boolean {
    return this.next.kind === 'sign' && this.next.text === sign;
  }

  isWord(word: string, second?: string, third?: string): boolean {
    if (this.next.lower !== word) return false;
    return (
      (second === undefined || this.peek(1).lower === second) &&
      (third === undefined || this.peek(2).lower === third)
    );
  }

  takeSign(sign: string): boolean {
    if (!this.isSign(sign)) return false;
    this.#at += 1;
    return true;
  }

  takeWord(word: string, second?: string, third?: string): boolean {
    if (!this.isWord(word, second, third)) return false;
    this.#at += third !== undefined ? 3 : second !== undefined ? 2 : 1;
    return true;
  }

  /** A literal that is a whole element of a list: taken at once, since lists may be long. */
  takeListLiteral(): FilterExpr | null {
    const isNegative = this.isSign('-');
    const token = this.peek(isNegative ? 1 : 0);
    if (token.kind !== 'number' && (token.kind !== 'text' || isNegative)) return null;
    const after = this.peek(isNegative ? 2 : 1);
    if (after.kind !== 'sign' || (after.text !== ',' && after.text !== ')' && after.text !== ']'))
      return null;
    const at = this.next.start;
    this.#at += isNegative ? 2 : 1;
    if (token.kind === 'text') return { kind: 'literal', at, value: { kind: 'text', text: token.text } };
    return {
      kind: 'literal',
      at,
      value: { kind: 'number', text: isNegative ? `-${token.text}` : token.text },
    };
  }

  expectSign(sign: string, why: string): Token {
    if (!this.isSign(sign))
      throw syntaxProblem(`“${sign}” is missing ${why}${this.#found()}.`, this.next.start);
    return this.take();
  }

  expectWord(word: string, why: string): void {
    if (!this.takeWord(word))
      throw syntaxProblem(`“${word}” is missing ${why}${this.#found()}.`, this.next.start);
  }

  expectEnd(): void {
    const { kind, text, start } = this.next;
    if (kind === 'end') return;
    throw syntaxProblem(
      `The condition is complete before “${text.slice(0, 40)}”.`,
      start,
      'Join conditions with “and” or “or”.',
    );
  }

  nested<T>(work: () => T): T {
    this.#depth += 1;
    if (this.#depth > maxFilterDepth) throw this.tooDeep(this.next.start);
    const value = work();
    this.#depth -= 1;
    return value;
  }

  /** Registers a new node over its children; refuses trees that are too high to walk. */
  grow<E extends FilterExpr>(node: E, children: readonly FilterExpr[]): E {
    let height = 0;
    for (const child of children) height = Math.max(height, this.#heights.get(child) ?? 0);
    if (height + 1 > maxFilterDepth) throw this.tooDeep(node.at);
    this.#heights.set(node, height + 1);
    return node;
  }

  tooDeep(at: number) {
    return syntaxProblem(
      `The filter nests deeper than ${maxFilterDepth} levels, or has an operator chain longer than that.`,
      at,
      'Shorten the chain; many values go into one list: column in (1, 2, 3, …).',
    );
  }

  #found(): string {
    return this.next.kind === 'end' ? ': the text ends here' : ` before “${this.next.text.slice(0, 40)}”`;
  }
}
