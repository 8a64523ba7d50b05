import { expect, test } from 'vitest';
import { addWords } from './use-tag-entry.ts';

const field = { label: 'CC', kind: 'email', maxTags: 3, tags: ['a@example.org'] } as const;

test('adds words as tags, without surrounding blanks and without empty ones', () => {
  expect(addWords(field, [' b@example.org ', '', 'c@example.org'])).toEqual({
    tags: ['a@example.org', 'b@example.org', 'c@example.org'],
    remaining: '',
    problem: null,
  });
});

test('stops at a wrong word, and preserves it with the rest', () => {
  expect(addWords(field, ['b@example.org', 'nobody', 'c@example.org'], ' d')).toEqual({
    tags: ['a@example.org', 'b@example.org'],
    remaining: 'nobody, c@example.org, d',
    problem: 'CC field must be a valid email',
  });
});

test('limits the number of tags', () => {
  const result = addWords(field, ['b@example.org', 'c@example.org', 'd@example.org']);
  expect(result).toMatchObject({
    tags: ['a@example.org', 'b@example.org', 'c@example.org'],
    remaining: 'd@example.org',
  });
  expect(result.problem).not.toBeNull();
});
