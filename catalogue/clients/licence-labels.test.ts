import { expect, test } from 'vitest';
import { specified } from '../testing/specified.ts';
import { environmentLabels } from './licence-labels.ts';

test('the environments are the specification’s, each with a label', () => {
  expect(Object.keys(environmentLabels)).toEqual(specified.environments);
  for (const [name, words] of Object.entries(environmentLabels))
    expect(words.toLowerCase()).toBe(name.toLowerCase());
});
