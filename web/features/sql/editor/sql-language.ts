import type { languages } from 'monaco-editor/editor';
import { keywords } from '../model/keywords.ts';

export const languageId = 'duckdb-sql';

/** DuckDB's SQL, for colours: names in double quotes are names, dollar quotes and nested comments are known. */
export const tokensProvider: languages.IMonarchLanguage = {
  ignoreCase: true,
  unicode: true,
  keywords: keywords.map((word) => word.toLowerCase()),
  tokenizer: {
    root: [
      [/--.*$/, 'comment'],
      [/\/\*/, { token: 'comment', next: '@comment' }],
      [/\$([a-z_]\w*)?\$/, { token: 'string', next: '@dollar.$0' }],
      [/e'/, { token: 'string', next: '@escaped' }],
      [/'/, { token: 'string', next: '@text' }],
      [/"/, { token: 'identifier.quoted', next: '@name' }],
      [/\$\w+|\?/, 'variable'],
      [/\d[\d_]*(\.\d+)?(e[+-]?\d+)?/, 'number'],
      [/[\p{L}_][\p{L}\p{N}_]*(?=\s*\()/u, { cases: { '@keywords': 'keyword', '@default': 'function' } }],
      [/[\p{L}_][\p{L}\p{N}_]*/u, { cases: { '@keywords': 'keyword', '@default': 'identifier' } }],
      [/[()[\]{}]/, '@brackets'],
      [/[<>=!~+\-*/%|&^:]+/, 'operator'],
      [/[;,.]/, 'delimiter'],
    ],
    comment: [
      [/\/\*/, { token: 'comment', next: '@push' }],
      [/\*\//, { token: 'comment', next: '@pop' }],
      [/[^/*]+|[/*]/, 'comment'],
    ],
    text: [
      [/[^']+|''/, 'string'],
      [/'/, { token: 'string', next: '@pop' }],
    ],
    escaped: [
      [/[^'\\]+|\\.|''/, 'string'],
      [/'/, { token: 'string', next: '@pop' }],
    ],
    name: [
      [/[^"]+|""/, 'identifier.quoted'],
      [/"/, { token: 'identifier.quoted', next: '@pop' }],
    ],
    dollar: [
      [/[^$]+/, 'string'],
      [/\$([a-z_]\w*)?\$/, { cases: { '$0==$S2': { token: 'string', next: '@pop' }, '@default': 'string' } }],
      [/\$/, 'string'],
    ],
  },
};

export const languageConfiguration: languages.LanguageConfiguration = {
  comments: { lineComment: '--', blockComment: ['/*', '*/'] },
  brackets: [
    ['(', ')'],
    ['[', ']'],
    ['{', '}'],
  ],
  autoClosingPairs: [
    { open: '(', close: ')' },
    { open: '[', close: ']' },
    { open: '{', close: '}' },
    { open: "'", close: "'", notIn: ['string', 'comment'] },
    { open: '"', close: '"', notIn: ['string', 'comment'] },
  ],
  surroundingPairs: [
    { open: '(', close: ')' },
    { open: '[', close: ']' },
    { open: "'", close: "'" },
    { open: '"', close: '"' },
  ],
  wordPattern: /[\p{L}_][\p{L}\p{N}_]*/u,
};
