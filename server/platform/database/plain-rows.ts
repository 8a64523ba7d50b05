/** Schemas of columns and rows that many statements return. */
import { z } from 'zod';

export const IdRow = z.object({ id: z.number() });

/** `select count(*) as total`. */
export const TotalRow = z.object({ total: z.number() });

export const NameRow = z.object({ name: z.string() });

/** A setting: its reader checks the JSON value. */
export const ValueRow = z.object({ value: z.unknown() });

/** A JSON column that holds an object. What is in it is for its reader to check: a record's detail may be large. */
export const jsonObject = z.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'Invalid input: expected object',
);

/** A JSON column that one store alone writes, as `Content`: it is checked to be an object, no deeper. */
export function ownJson<Content extends object>(): z.ZodType<Content> {
  return z.custom<Content>(
    (value) => typeof value === 'object' && value !== null,
    'Invalid input: expected object',
  );
}

/**
 * A word of a set that differs between versions, such as a source's key: checked as text alone. A row that a newer version
 * wrote, or that remains of a removed vendor, must not hide the rows beside it.
 */
export function openWord<Word extends string>(): z.ZodType<Word> {
  return z.custom<Word>((value) => typeof value === 'string', 'Invalid input: expected string');
}
