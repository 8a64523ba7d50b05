/** Parses JSON bodies within their limit of values, and validates a part of a request against the schema of its call. */
import { z } from 'zod';
import { AppError } from '../errors/app-error.ts';

/** Maximum characters shown of a name that the caller chose. */
const maxShown = 50;

type Part = 'path' | 'query' | 'body';

const partLabel: Record<Part, string> = { path: 'The path', query: 'The query', body: 'The body' };

export function readInput<S extends z.ZodType>(part: Part, schema: S, input: unknown): z.output<S> {
  const read = schema.safeParse(input, { error: toPredicate });
  if (read.success) return read.data;
  throw new AppError(
    'invalid_input',
    read.error.issues.map((issue) => toSentence(issue, partLabel[part])).join(' '),
  );
}

/** @param label - Label of the part, for an error of the part itself rather than of a field. */
function toSentence(issue: z.core.$ZodIssue, label: string): string {
  if (issue.code === 'invalid_union' && issue.message !== missing) {
    // An empty text is allowed beside something else, whose error says what that is.
    const alternatives = issue.errors.filter(([first]) => !isAboutEmptyText(first));
    const errors = alternatives.flat();
    // The most specific error of the alternatives is the one that is not about the type.
    const furthest =
      errors.find(({ code }) => code !== 'invalid_type') ??
      (alternatives.length === 1 ? errors[0] : undefined);
    if (furthest !== undefined)
      return toSentence({ ...furthest, path: [...issue.path, ...furthest.path] }, label);
  }
  // The message of a schema is a full sentence or the end of one: 'must be a whole number'.
  if (/^\p{Lu}/u.test(issue.message)) return `${issue.message.replace(/\.$/, '')}.`;
  const subject =
    issue.path.length === 0
      ? label
      : issue.path.map((name) => String(name).slice(0, maxShown)).join('.');
  return `${subject} ${issue.message}.`;
}

const isAboutEmptyText = (issue: z.core.$ZodIssue | undefined): boolean =>
  issue?.code === 'invalid_value' && issue.values.length === 1 && issue.values[0] === '';

const missing = 'is required';

/** Replaces zod's default messages with the predicate of a sentence about the field. */
function toPredicate(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? missing
        : `must be ${withArticle[issue.expected] ?? issue.expected}`;
    case 'too_big':
      return issue.origin in counted
        ? `may have at most ${issue.maximum} ${counted[issue.origin]}`
        : `must be at most ${issue.maximum}`;
    case 'too_small':
      return issue.origin in counted
        ? `must have at least ${issue.minimum} ${counted[issue.origin]}`
        : `must be at least ${issue.minimum}`;
    case 'invalid_value':
      return `must be one of: ${issue.values.map(String).join(', ')}`;
    case 'unrecognized_keys': {
      const allowed = issue.inst instanceof z.ZodObject ? Object.keys(issue.inst.shape) : [];
      const end =
        allowed.length === 0 ? 'nothing is allowed there' : `allowed are: ${allowed.join(', ')}`;
      return `has an unknown name ${issue.keys.map((key) => `'${key.slice(0, maxShown)}'`).join(', ')}; ${end}`;
    }
    case 'invalid_union':
      return issue.input === undefined ? missing : 'is not valid';
    case 'custom':
    case 'invalid_element':
    case 'invalid_format':
    case 'invalid_key':
    case 'not_multiple_of':
    default:
      return 'is not valid';
  }
}

/** What a limit counts in values that have a length. */
const counted: Record<string, string> = { string: 'characters', array: 'entries' };

const withArticle: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
};

/** Members and items of a body: parsing costs by values, not by bytes. A thousand queries of osv.dev have some eight each. */
const defaultMaxValues = 10_000;

const [quote, comma, bracket, brace, backslash] = [0x22, 0x2c, 0x5b, 0x7b, 0x5c] as const;

/**
 * Returns undefined for bytes that are empty or white space.
 * @param maxValues Most members and items.
 * @throws AppError `too_large`, `not_json`
 */
export function parseJson(bytes: Uint8Array, maxValues = defaultMaxValues): unknown {
  // PowerShell writes a byte order mark.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString()
    .replace(/^\uFEFF/, '');
  if (text.trim() === '') return undefined;
  if (hasTooManyValues(text, maxValues))
    throw new AppError(
      'too_large',
      `The body may have at most ${maxValues.toLocaleString('en')} values. Send less at once.`,
    );
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new AppError('not_json', `The body is not JSON: ${describePosition(error)}.`);
  }
}

/** Counts in a pass over the text, which costs a fraction of parsing: what is refused delays nobody. */
function hasTooManyValues(text: string, maxValues: number): boolean {
  if (text.length < maxValues) return false;
  let values = 1;
  for (let at = 0; at < text.length && values <= maxValues; at += 1) {
    const character = text.charCodeAt(at);
    if (character === quote) at = endOfText(text, at);
    else if (character === comma || character === bracket || character === brace) values += 1;
  }
  return values > maxValues;
}

/** Returns the position of the quote that ends the text whose first quote is at `start`. */
function endOfText(text: string, start: number): number {
  for (let end = start; ; ) {
    end = text.indexOf('"', end + 1);
    if (end === -1) return text.length;
    let before = end;
    while (text.charCodeAt(before - 1) === backslash) before -= 1;
    if ((end - before) % 2 === 0) return end;
  }
}

/** Describes the position of the error only, since V8's message repeats the text, which may contain a password. */
function describePosition(error: unknown): string {
  const position =
    error instanceof Error ? /at position (\d+)/.exec(error.message)?.[1] : undefined;
  return position === undefined
    ? 'it ends too early or has characters that JSON does not allow'
    : `it is invalid from character ${Number(position) + 1} on`;
}
