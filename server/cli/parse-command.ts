import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { UsageError, verbHelp } from './usage.ts';

const text = { type: 'string' } as const;
const texts = { type: 'string', multiple: true } as const;
const flag = { type: 'boolean' } as const;

const common = {
  json: flag,
  help: { type: 'boolean', short: 'h' },
  home: text,
  state: text,
  cache: text,
  url: text,
} as const;

/** Of everything that works like a merge. */
const merging = {
  take: text,
  choices: text,
  message: text,
  'dry-run': flag,
  'expect-from': text,
  'expect-into': text,
} as const;

/** Options of each verb, besides the common ones. */
const optionsOf = {
  serve: {
    port: text,
    host: text,
    models: text,
    places: text,
    'memory-mb': text,
    demo: text,
    open: text,
  },
  import: {
    table: text,
    key: texts,
    format: text,
    delimiter: text,
    header: text,
    encoding: text,
    null: texts,
    metadata: text,
    description: text,
  },
  tables: {},
  sql: { ref: texts, 'max-rows': text, format: text },
  queries: {},
  reviews: { state: text },
  review: {
    ...merging,
    title: text,
    description: text,
    reviewer: texts,
    squash: flag,
    'delete-branch': flag,
  },
  diff: { rows: flag, base: text },
  merge: merging,
  rebase: merging,
  'cherry-pick': { ...merging, versions: texts, rows: texts, columns: texts },
  revert: merging,
  restore: { message: text, 'dry-run': flag },
  export: { ref: text, format: text, columns: text, where: text, 'order-by': text, blobs: text },
} satisfies Record<string, ParseArgsOptionsConfig>;

export type Verb = keyof typeof optionsOf;

export interface Command {
  verb: Verb;
  /** What follows the verb. */
  positionals: string[];
  values: Record<string, string | boolean | (string | boolean)[] | undefined>;
}

const isVerb = (text: string | undefined): text is Verb =>
  text !== undefined && Object.hasOwn(optionsOf, text);

/** Reads a command line (without node and script). `null` asks for help without a verb. Throws UsageError. */
export function parseCommand(args: readonly string[]): Command | null {
  const at = args.findIndex((arg) => !arg.startsWith('-'));
  const verb = args[at];
  if (at === -1) {
    if (args.length === 0 || args.some((arg) => arg === '--help' || arg === '-h')) return null;
    throw new UsageError('There is no verb.');
  }
  if (verb === 'help')
    return isVerb(args[at + 1])
      ? { verb: args[at + 1] as Verb, positionals: [], values: { help: true } }
      : null;
  if (!isVerb(verb))
    throw new UsageError(`There is no verb “${verb}”; there are ${Object.keys(optionsOf).join(', ')}.`);
  const rest = [...args.slice(0, at), ...args.slice(at + 1)];
  try {
    const options: ParseArgsOptionsConfig = { ...common, ...optionsOf[verb] };
    const { positionals, values } = parseArgs({ args: rest, options, allowPositionals: true, strict: true });
    return { verb, positionals, values };
  } catch (error) {
    throw new UsageError(
      `${error instanceof Error ? error.message.split('. ')[0] : String(error)}. ${verbHelp[verb]?.split('\n')[0] ?? ''}`,
    );
  }
}

/** A text option. */
export const textOf = ({ values }: Command, name: string): string | undefined => {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
};

export const textsOf = ({ values }: Command, name: string): string[] => {
  const value = values[name];
  return Array.isArray(value) ? value.map(String) : typeof value === 'string' ? [value] : [];
};

/** An option that is a list: given several times, or with commas. */
export const listOf = (command: Command, name: string): string[] =>
  textsOf(command, name).flatMap((text) => text.split(',').filter((part) => part !== ''));

/** Version numbers. */
export const versionsOf = (texts: readonly string[]): number[] =>
  texts.flatMap((text) => text.split(',')).map((text) => wholeNumber(text, 'A version'));

/** An option that is a whole number. */
export function numberOf(command: Command, name: string): number | undefined {
  const value = textOf(command, name);
  return value === undefined ? undefined : wholeNumber(value, `--${name}`);
}

function wholeNumber(text: string, what: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new UsageError(`${what} is a whole number, not “${text}”.`);
}

export const isSet = ({ values }: Command, name: string): boolean => values[name] === true;

/** An option that must be one of a few words. */
export function choiceOf<T extends string>(
  command: Command,
  name: string,
  choices: readonly T[],
): T | undefined {
  const value = textOf(command, name);
  if (value === undefined || (choices as readonly string[]).includes(value)) return value as T | undefined;
  throw new UsageError(`--${name} is one of ${choices.join(', ')}, not “${value}”.`);
}
