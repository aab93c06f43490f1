/** A word or a quoted phrase of a search, and what finds it in a text. */
export interface SearchTerm {
  text: string;
  /** Matches the term anywhere, whatever its case and its accents. In the syntax that Rust and JavaScript share. */
  pattern: string;
}

const maxTerms = 32;
const maxTermLength = 200;

const escapeRegex = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** The letters that people write for one another: `é` for `e`. Lower case; the match ignores case. */
const relatives: Record<string, string> = {
  a: 'aàáâãäåāăą',
  c: 'cçćĉċč',
  d: 'dďđ',
  e: 'eèéêëēĕėęě',
  g: 'gĝğġģ',
  h: 'hĥħ',
  i: 'iìíîïĩīĭį',
  j: 'jĵ',
  k: 'kķ',
  l: 'lĺļľł',
  n: 'nñńņň',
  o: 'oòóôõöøōŏő',
  r: 'rŕŗř',
  s: 'sśŝşš',
  t: 'tţťŧ',
  u: 'uùúûüũūŭůűų',
  w: 'wŵ',
  y: 'yýÿŷ',
  z: 'zźżž',
};

const relativesOf = (letter: string): string => {
  const plain = letter.normalize('NFD').charAt(0).toLowerCase();
  const family = relatives[plain];
  return family ? `[${family}]` : escapeRegex(letter);
};

const patternOf = (text: string): string =>
  [...text.normalize('NFC').toLowerCase()]
    .map((letter) => (/\s/.test(letter) ? '\\s+' : relativesOf(letter)))
    .join('');

/** Cuts what a person typed into words and "quoted phrases"; signs around words fall away. */
export function parseSearchTerms(query: string): SearchTerm[] {
  const terms = new Map<string, SearchTerm>();
  for (const [, phrase, word] of query.matchAll(/"([^"]+)"|([\p{L}\p{N}\p{M}_'’.+#-]+)/gu)) {
    const raw = (phrase ?? word ?? '').trim().replaceAll(/\s+/g, ' ');
    const text = phrase === undefined ? raw.replaceAll(/^['’.-]+|['’.-]+$/g, '') : raw;
    if (text === '' || terms.size >= maxTerms) continue;
    const cut = text.slice(0, maxTermLength);
    terms.set(cut.toLowerCase(), { text: cut, pattern: patternOf(cut) });
  }
  const whole = query.trim().slice(0, maxTermLength);
  return terms.size === 0 && whole !== ''
    ? [{ text: whole, pattern: patternOf(whole) }]
    : [...terms.values()];
}
