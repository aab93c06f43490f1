import { AppError, isAppError } from '#shared/api/problem.ts';
import { didYouMean } from '#shared/domain/near-names.ts';
import { formatRef, type PinnedRef } from '#shared/domain/ref.ts';

export interface LanceErrorPlace {
  table?: string;
  ref?: PinnedRef;
  /** Where the tables are, to tell a missing file from a home that was moved. */
  home?: string;
}

interface Rule {
  pattern: RegExp;
  translate(
    match: RegExpMatchArray,
    text: string,
    place: LanceErrorPlace,
  ): Omit<ConstructorParameters<typeof AppError>[0], 'cause'>;
}

const nameOf = ({ table, ref }: LanceErrorPlace): string =>
  table === undefined ? 'the table' : `the table ${table}${ref ? ` at ${formatRef(ref)}` : ''}`;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Takes Lance's wrappers, source places and paths off a message that is about the user's own text. */
function plainText(text: string): string {
  return (text.split(/\s+Caused by:/)[0] ?? text)
    .replace(/,? ?\/[^\s,]*\.rs:\d+(:\d+)?/g, '')
    .replace(
      /^(lance error: |Failed to execute query stream: |GenericFailure, |Invalid input, |Invalid user input: |LanceError\([^)]*\): |Execution error: |External error: |DataFusion error: |Schema error: |Error during planning: )+/g,
      '',
    )
    .trim()
    .slice(0, 400);
}

const isOutside = (text: string, home: string | undefined): boolean => {
  const path = text.match(/Not found: \/?(\S+\.lance\S*)/)?.[1];
  return home !== undefined && path !== undefined && home.startsWith('/') && !path.startsWith(home.slice(1));
};

const damaged = (place: LanceErrorPlace, what: string) => ({
  code: 'INVALID_FILE' as const,
  message: `${capital(nameOf(place))} cannot be read: ${what}.`,
  hint: 'Open an older version, or restore the table’s files from a backup.',
});

const rules: Rule[] = [
  {
    pattern: /Table '([^']*)' was not found/,
    translate: (match) => ({ code: 'NOT_FOUND', message: `The table ${match[1]} does not exist.` }),
  },
  {
    pattern: /_versions\/\d+\.manifest was not found|Dataset at path .* was not found/,
    translate: (_match, _text, place) => ({
      code: place.ref ? 'GONE' : 'NOT_FOUND',
      message: `${capital(nameOf(place))} is no longer there.`,
      hint: 'It was deleted or cleaned up; open the newest version.',
    }),
  },
  {
    pattern:
      /No field named "?`?([^\s"`.,]+(?:\.[^\s"`.,]+)*)"?`?\.?(?:.*Valid fields are ([^\n]*?)\.(?:\s|$))?/s,
    translate: (match) => {
      const name = (match[1] ?? '').replace(/[.`]+$/, '');
      const known = [...(match[2] ?? '').matchAll(/[`"]([^`"]+)[`"]/g)].map((found) => found[1] ?? '');
      return {
        code: 'SQL_BIND',
        message: `There is no column “${name}”.`,
        hint: didYouMean(name, known) ?? 'The columns are listed in the table’s description.',
      };
    },
  },
  {
    pattern: /Column ([^\s]+) (?:does not exist|not found)/,
    translate: (match) => ({
      code: 'SQL_BIND',
      message: `There is no column “${match[1]}”.`,
      hint: 'The columns are listed in the table’s description.',
    }),
  },
  {
    pattern: /Query timeout|Operation timed out|timed out after/i,
    translate: () => ({
      code: 'TIMEOUT',
      message: 'The query took too long and was stopped.',
      hint: 'Ask for fewer rows or columns, or make an index.',
    }),
  },
  {
    pattern: /Resources exhausted|out of memory|Failed to allocate|memory limit/i,
    translate: () => ({
      code: 'MEMORY',
      message: 'The query needs more memory than it may have.',
      hint: 'Ask for fewer columns or rows at once.',
    }),
  },
  {
    pattern: /Panic in async function/,
    translate: (_match, _text, place) => ({
      code: 'ENGINE_CRASHED',
      message: `Lance stopped in the middle of this request to ${nameOf(place)}.`,
      hint: 'Make the filter or the expression simpler; nothing was lost, and other requests go on.',
    }),
  },
  {
    pattern: /No space left on device|StorageFull/,
    translate: () => ({
      code: 'MEMORY',
      message: 'The disk of the tables is full.',
      hint: 'Free some space and try again; nothing was lost.',
    }),
  },
  {
    pattern: /Permission denied|Read-only file system/i,
    translate: () => ({
      code: 'FORBIDDEN',
      message: 'Curio may not use the files of the tables.',
      hint: 'Look at the rights of the folder of the tables.',
    }),
  },
  {
    pattern:
      /(Retryable commit conflict|Commit conflict|preempted by concurrent transaction|incompatible with concurrent transaction|Too many concurrent writers)/,
    translate: (_match, _text, place) => ({
      code: 'CONFLICT',
      message: `Another program changed ${nameOf(place)} at the same moment.`,
      hint: 'Nothing was written. Try again.',
    }),
  },
  {
    pattern: /Ref conflict error: (.*?)(?:,|\s+Caused by|$)/,
    translate: (match) => ({
      code: 'CONFLICT',
      message: `${plainText(match[1] ?? '')}.`.replace(/\.+$/, '.'),
      hint: 'Delete what refers to it first.',
    }),
  },
  {
    pattern: /(?:Table|Branch|Tag)[^\n]{0,220} already exists/i,
    translate: (_match, _text, place) => ({
      code: 'EXISTS',
      message: `The name is taken${place.table === undefined ? '' : ` in ${place.table}`}.`,
      hint: 'Choose another name.',
    }),
  },
  {
    pattern:
      /HttpError|AWS credentials|Failed to get .* credentials|Generic (?:S3|GCS|MicrosoftAzure) error|error sending request/i,
    translate: () => ({
      code: 'UPSTREAM',
      message: 'The storage of the tables does not answer.',
      hint: 'Look at its address and at the credentials, then try again.',
    }),
  },
  {
    pattern: /Not found: /,
    translate: (_match, text, place) =>
      isOutside(text, place.home)
        ? {
            code: 'INVALID_FILE',
            message: `The branch’s rows are looked for in the folder where ${nameOf(place)} was when the branch was made.`,
            hint: 'Move the folder of the tables back to where it was: branches keep that place.',
          }
        : damaged(place, 'one of its files is missing (it was cleaned up or lost)'),
  },
  {
    pattern:
      /failed to fill whole buffer|file size is too small|Invalid range \d+\.\.\d+ for object of size|not a valid Lance|Invalid magic|magic number|corrupt|failed to decode Protobuf|early EOF|Unexpected end of file/i,
    translate: (_match, _text, place) => damaged(place, 'one of its files is damaged or cut off'),
  },
  {
    pattern: /sql parser error|ParserError|SQL syntax|Unterminated|TokenizerError|Expected:? .* found:? /i,
    translate: (_match, text) => ({
      code: 'SQL_SYNTAX',
      message: `The filter has a syntax error: ${plainText(text).replace(/^.*?sql parser error: /i, '')}`,
      hint: 'Texts stand in single quotes; names with odd characters in double quotes.',
    }),
  },
  {
    pattern: /FilteredRead on v1 files/,
    translate: (_match, _text, place) => ({
      code: 'UNSUPPORTED',
      message: `${capital(nameOf(place))} is kept in Lance’s first file format, whose rows cannot be looked up one by one.`,
      hint: 'Write the table anew with file version 2.0 or later (data_storage_version="stable"), and compare that.',
    }),
  },
  {
    pattern:
      /is not supported SQL in lance|Operator .* is not supported|not supported in physical expressions|This feature is not implemented/i,
    translate: (_match, text) => ({
      code: 'UNSUPPORTED',
      message: `The filter uses something that filters cannot do: ${plainText(text)}`,
      hint: 'Use the SQL page for CASE, aggregates and subqueries.',
    }),
  },
  {
    pattern:
      /Invalid function|There is no UDF|No function matches|Could not resolve function|Unknown function/i,
    translate: (_match, text) => ({
      code: 'SQL_BIND',
      message: plainText(text),
      hint: 'Look at the name of the function and at the types of its arguments.',
    }),
  },
  {
    pattern: /Compiled regex exceeds size limit/i,
    translate: () => ({
      code: 'SQL_SYNTAX',
      message: 'The pattern is too large.',
      hint: 'Make it shorter, or look for several patterns with OR.',
    }),
  },
  {
    pattern: /regex parse error|Regular expression did not compile|Invalid regex/i,
    translate: () => ({
      code: 'SQL_SYNTAX',
      message: 'The regular expression cannot be read.',
      hint: 'Look for an open bracket or a bare “*” or “+”.',
    }),
  },
  {
    pattern:
      /Cast error|Cannot cast|InvalidCast|Cannot infer common|Error during planning|type mismatch|Cannot coerce|Error parsing|Parser error|Divide by zero|Overflow happened|Arithmetic overflow|Received literal|could not convert/i,
    translate: (_match, text) => ({
      code: 'SQL_BIND',
      message: `The values do not fit: ${plainText(text)}`,
      hint: 'Look at the types of the columns; try_cast gives null where a value cannot be converted.',
    }),
  },
  {
    pattern: /JsonExtract|invalid json|Failed to encode JSON/i,
    translate: (_match, text) => ({
      code: 'SQL_BIND',
      message: `The JSON does not fit: ${plainText(text)}`,
      hint: 'json_get_string with try_cast gives null where a value cannot be converted.',
    }),
  },
  {
    pattern:
      /Error applying filter expression to batch: (?:Execution error|Arrow error: Invalid argument error): ([^\n]{1,200}?)(?:, \/|\s+Caused by|$)/,
    translate: (match) => ({
      code: 'SQL_BIND',
      message: `The filter cannot be computed: ${plainText(match[1] ?? '')}`,
      hint: 'Look at the arguments of its functions; a value that a row has may be none that they take.',
    }),
  },
];

/** An error of Lance as an error that may be shown: no path, no source place. Unknown ones are INTERNAL, with their cause. */
export function translateLanceError(error: unknown, place: LanceErrorPlace = {}): AppError {
  if (isAppError(error)) return error;
  const text = error instanceof Error ? error.message : String(error);
  for (const { pattern, translate } of rules) {
    const match = text.match(pattern);
    if (match) return new AppError({ ...translate(match, text, place), cause: error });
  }
  return new AppError({
    code: 'INTERNAL',
    message: `Lance met an error with ${nameOf(place)} that Curio does not know.`,
    hint: 'The server’s log has the details under the request id.',
    cause: error,
  });
}

/** Runs work with Lance and translates what it throws. */
export async function withLanceErrors<T>(place: LanceErrorPlace, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw translateLanceError(error, place);
  }
}
