/** Converts a value to JSON for the audit log: masks secrets, recognised by the names of their fields, and truncates long values. */
import { z } from 'zod';

const mask = '•••';

const secretWord =
  /^(?:password|passwort|passphrase|secret|token|ticket|code|key|otp|pin|credential|cookie|authorization)s?$/;
/** Fields with these last words describe a secret and do not contain it: keyName, passwordSet, tokenCount. */
const harmlessEnding =
  /^(?:name|id|set|count|type|label|policy|length|prefix|at|on|time|date|days|expiry|kind)$/;

function isSecret(name: string): boolean {
  const words = name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\d+/gu) ?? [];
  const last = name.match(/\p{Lu}?\p{Ll}+$/u)?.[0].toLowerCase() ?? '';
  return words.some((word) => secretWord.test(word.toLowerCase())) && !harmlessEnding.test(last);
}

/** Masks user names and passwords in addresses, and this service's API keys and client tokens, anywhere in a text. */
const maskSecretsInText = (text: string) =>
  text
    .replaceAll(/(\w:\/\/)[^\s/@?#]+@/g, `$1${mask}@`)
    .replaceAll(/\b(pr[kc]_)[\w-]{8,}/g, `$1${mask}`);

interface Limits {
  readonly characters: number;
  readonly elements: number;
  readonly depth: number;
  /** The value is of a request that may be refused because a secret is a number. */
  readonly isInput: boolean;
}

const defaultLimits = { characters: 2000, elements: 200, depth: 8 };
const strictLimits = { characters: 200, elements: 20, depth: 4 };
const maxLength = 32 * 1024;

/** Returns null for undefined. */
export function maskedJson(value: unknown, isInput = false): string | null {
  if (value === undefined) return null;
  const text = JSON.stringify(maskValue(value, { ...defaultLimits, isInput })) ?? 'null';
  if (text.length <= maxLength) return text;
  const shorter = JSON.stringify(maskValue(value, { ...strictLimits, isInput }));
  return shorter.length <= maxLength
    ? shorter
    : JSON.stringify(
        `${shorter.slice(0, strictLimits.characters)}… (${text.length} characters)`.toWellFormed(),
      );
}

/**
 * Masks what a body states under names that its schema does not have, which is refused: a name that was mistyped may be that of a secret.
 * Returns other bodies as they are.
 */
export function maskUnknown(schema: z.ZodType, body: unknown): unknown {
  const known = findNames(schema);
  if (known === null || typeof body !== 'object' || body === null || Array.isArray(body))
    return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, known.has(name) ? value : mask]),
  );
}

/** Returns the names of the objects that the schema describes; null where it allows any. */
function findNames(schema: unknown): ReadonlySet<string> | null {
  if (schema instanceof z.ZodObject) return new Set(Object.keys(schema.shape));
  if (schema instanceof z.ZodPipe) return findNames(schema.in);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return findNames(schema.unwrap());
  if (!(schema instanceof z.ZodUnion)) return null;
  const names = schema.options.map(findNames);
  return names.includes(null) ? null : new Set(names.flatMap((own) => [...(own ?? [])]));
}

function maskValue(value: unknown, limits: Limits): unknown {
  switch (typeof value) {
    case 'string':
      return truncate(maskSecretsInText(value), limits.characters);
    case 'bigint':
      return String(value);
    case 'object':
      return value === null ? null : maskObject(value, limits);
    default:
      return value;
  }
}

function maskObject(value: object, limits: Limits): unknown {
  if (value instanceof Date) return Number.isFinite(value.getTime()) ? value.toISOString() : null;
  if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`;
  if (limits.depth === 0) return '…';
  const inner = { ...limits, depth: limits.depth - 1 };
  if (Array.isArray(value)) {
    const shown = value.slice(0, limits.elements).map((each) => maskValue(each, inner));
    return value.length > shown.length
      ? [...shown, `… and ${value.length - shown.length} more`]
      : shown;
  }
  const entries = Object.entries(value instanceof Map ? Object.fromEntries(value) : value);
  const shown = entries
    .slice(0, limits.elements)
    .map(([name, each]) => [
      truncate(name, 200),
      isSecret(name) ? maskSecret(each, inner) : maskValue(each, inner),
    ]);
  if (entries.length > shown.length) shown.push(['…', `and ${entries.length - shown.length} more`]);
  return Object.fromEntries(shown) as unknown;
}

/** Returns empty and boolean values, and numbers that are no input, as they are: secrets are texts, or contain texts. */
function maskSecret(value: unknown, { elements, isInput }: Limits): unknown {
  const isHarmless = (each: unknown) =>
    each === undefined ||
    each === null ||
    each === '' ||
    typeof each === 'boolean' ||
    (typeof each === 'number' && !isInput);
  // It does not recurse: JSON may be nested deeper than the stack.
  if (!Array.isArray(value)) return isHarmless(value) ? value : mask;
  return value.slice(0, elements).map((each: unknown) => (isHarmless(each) ? each : mask));
}

function truncate(text: string, most: number): string {
  return text.length > most
    ? `${text.slice(0, most).toWellFormed()}… (${text.length} characters)`
    : text.toWellFormed();
}
