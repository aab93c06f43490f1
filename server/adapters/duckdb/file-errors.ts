import { AppError, isAppError } from '#shared/api/problem.ts';

type Facts = { message: string; hint: string };

const encodingHint = 'Save the file as UTF-8, or import it with the option encoding (utf-16 or latin-1).';
const againHint = 'Mend the file and import it again.';

interface Rule {
  pattern: RegExp;
  facts(match: RegExpMatchArray): Facts;
}

/** `, line 3` where DuckDB says it; for JSON it counts one too many. */
const lineOf = (text: string): string => {
  const csvLine = /CSV Error on Line: (\d+)/.exec(text)?.[1];
  if (csvLine) return `, line ${csvLine}`;
  const json = / in (line|record\/value) (\d+)/.exec(text);
  return json ? `, ${json[1] === 'line' ? 'line' : 'value'} ${Number(json[2]) - 1}` : '';
};

const rules: readonly Rule[] = [
  {
    pattern: /Invalid unicode|invalid UTF-8|File is not .* encoded|Failed to decode/i,
    facts: () => ({ message: 'the text is not UTF-8', hint: encodingHint }),
  },
  {
    pattern: /Expected Number of Columns: (\d+) Found: (\d+)/,
    facts: ([, expected, found]) => ({
      message: `${found} ${found === '1' ? 'value' : 'values'} where the first line has ${expected}`,
      hint: 'Every line needs the same number of values; values with commas or line breaks stand in double quotes.',
    }),
  },
  {
    pattern: /unterminated quote/i,
    facts: () => ({
      message: 'a double quote is opened and never closed',
      hint: 'A double quote inside a quoted value is written twice.',
    }),
  },
  {
    pattern: /Maximum line size of (\d+)|line size|exceeds.*buffer/i,
    facts: () => ({
      message: 'a line is longer than 32 MB',
      hint: 'A double quote may be open since an earlier line.',
    }),
  },
  {
    pattern: /Error when converting column "([^"]*)"\. Could not convert string "([^\n]*)" to '([^']*)'/,
    facts: ([, column, value, type]) => ({
      message: `“${value?.slice(0, 80)}” in column “${column}” is no ${type}`,
      hint: againHint,
    }),
  },
  {
    pattern: /maximum_object_size/i,
    facts: () => ({
      message: 'an object is larger than 64 MB',
      hint: 'Keep large values in files of their own.',
    }),
  },
  {
    pattern: /Malformed JSON in file .*?: (unexpected end of data|[^\n]*)/,
    facts: ([, why]) => ({
      message: `the JSON is malformed (${why?.trim().replace(/\.$/, '')})`,
      hint: againHint,
    }),
  },
  {
    pattern: /Out of Memory/i,
    facts: () => ({
      message: 'the file needs more memory than its reader may have',
      hint: 'It may be damaged, or have far too many columns. Split it and import the parts.',
    }),
  },
  {
    pattern: /(gzip|zstd|decompress|frame)/i,
    facts: () => ({ message: 'the compressed file is damaged', hint: 'Compress it again.' }),
  },
];

const firstLine = (text: string): string =>
  (text.split('\n')[0] ?? '')
    .replace(/^[A-Za-z ]+Error: /, '')
    .replaceAll(/["']?\/[^\s"']*["']?/g, 'the file')
    .slice(0, 200);

/** What DuckDB says of a file, as an INVALID_FILE that names the file and the line. */
export function translateFileError(label: string, error: unknown): AppError {
  if (isAppError(error)) return error;
  const text = error instanceof Error ? error.message : String(error);
  const rule = rules.find(({ pattern }) => pattern.test(text));
  const facts = rule?.facts(text.match(rule.pattern)!) ?? {
    message: firstLine(text).replace(/\.$/, ''),
    hint: againHint,
  };
  return new AppError({
    code: 'INVALID_FILE',
    message: `${label}${lineOf(text)}: ${facts.message}.`,
    hint: facts.hint,
    cause: error,
  });
}
