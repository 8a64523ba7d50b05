/** Validates one part of a request against its call's schema. A refusal names the invalid field and what is allowed. */
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
  if (issue.code === 'invalid_union') {
    // The most specific error of the alternatives is the one that is not about the type.
    const furthest = issue.errors.flat().find((each) => each.code !== 'invalid_type');
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

/** Replaces zod's default messages with the predicate of a sentence about the field. */
function toPredicate(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'is required'
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
    case 'custom':
    case 'invalid_element':
    case 'invalid_format':
    case 'invalid_key':
    case 'invalid_union':
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
