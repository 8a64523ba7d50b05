/** Schemas of columns and rows that many statements share. */
import { z } from 'zod';

export const IdRow = z.object({ id: z.number() });

/** Row of `select count(*) as total`. */
export const TotalRow = z.object({ total: z.number() });

export const NameRow = z.object({ name: z.string() });

/** Row of a setting; its reader checks the JSON value. */
export const ValueRow = z.object({ value: z.unknown() });

/** A JSON column with an object. Its reader checks the content, since a record's detail may be large. */
export const jsonObject = z.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'Invalid input: expected object',
);

/** A JSON column that only one store writes, as `Content`. It is only checked to be an object. */
export function ownJson<Content extends object>(): z.ZodType<Content> {
  return z.custom<Content>(
    (value) => typeof value === 'object' && value !== null,
    'Invalid input: expected object',
  );
}

/**
 * A word of a set that differs between versions, such as a source's key. It is only checked to be text: a row of a newer version
 * or of a removed vendor must not break the reading of other rows.
 */
export function openWord<Word extends string>(): z.ZodType<Word> {
  return z.custom<Word>((value) => typeof value === 'string', 'Invalid input: expected string');
}
