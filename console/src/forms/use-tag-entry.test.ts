import { expect, test } from 'vitest';
import { takeWords } from './use-tag-entry.ts';

const field = { label: 'CC', kind: 'email', most: 3, tags: ['a@example.org'] } as const;

test('takes words as tags, without the space around them and without empty ones', () => {
  expect(takeWords(field, [' b@example.org ', '', 'c@example.org'])).toEqual({
    tags: ['a@example.org', 'b@example.org', 'c@example.org'],
    left: '',
    problem: null,
  });
});

test('stops at a wrong word, and leaves it with all that follows it', () => {
  expect(takeWords(field, ['b@example.org', 'nobody', 'c@example.org'], ' d')).toEqual({
    tags: ['a@example.org', 'b@example.org'],
    left: 'nobody, c@example.org, d',
    problem: 'CC field must be a valid email',
  });
});

test('takes at most as many tags as the field may have', () => {
  const taken = takeWords(field, ['b@example.org', 'c@example.org', 'd@example.org']);
  expect(taken).toMatchObject({
    tags: ['a@example.org', 'b@example.org', 'c@example.org'],
    left: 'd@example.org',
  });
  expect(taken.problem).not.toBeNull();
});
