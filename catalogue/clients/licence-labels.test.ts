import { expect, test } from 'vitest';
import { specified } from '../testing/specified.ts';
import { environmentLabels } from './licence-labels.ts';

test('labels every environment of the specification', () => {
  expect(Object.keys(environmentLabels)).toEqual(specified.environments);
  for (const [name, words] of Object.entries(environmentLabels))
    expect(words.toLowerCase()).toBe(name.toLowerCase());
});
