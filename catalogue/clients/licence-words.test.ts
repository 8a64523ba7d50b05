import { expect, test } from 'vitest';
import { specified } from '../testing/specified.ts';
import { environmentWords } from './licence-words.ts';

test('the environments are the specification’s, each with a label', () => {
  expect(Object.keys(environmentWords)).toEqual(specified.environments);
  for (const [name, words] of Object.entries(environmentWords))
    expect(words.toLowerCase()).toBe(name.toLowerCase());
});
