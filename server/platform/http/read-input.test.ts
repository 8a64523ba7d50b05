import { expect, test } from 'vitest';
import { z } from 'zod';
import { readInput } from './read-input.ts';

function findRefusal(schema: z.ZodType, body: object): string {
  try {
    readInput('body', z.object({ contactEmail: schema }), body);
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

const address = z.string().refine((text) => text.includes('@'), 'must be a valid email');

test.each([
  ['first', z.union([z.literal(''), address])],
  ['last', z.union([address, z.literal('')])],
])('says what is allowed beside an empty text that is the %s alternative', (_, schema) => {
  const refuse = (contactEmail: unknown) => findRefusal(schema, { contactEmail });
  expect(refuse('')).toBe('');
  expect(findRefusal(schema, {})).toBe('contactEmail is required.');
  expect(refuse(5)).toBe('contactEmail must be text.');
  expect(refuse(null)).toBe('contactEmail must be text.');
  expect(refuse('nobody')).toBe('contactEmail must be a valid email.');
});

test('asks for a missing value with several alternatives', () => {
  const schema = z.union([z.strictObject({ id: z.number() }), z.strictObject({ name: address })]);
  expect(findRefusal(schema, {})).toBe('contactEmail is required.');
});
