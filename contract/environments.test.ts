import { expect, test } from 'vitest';
import { environmentLabels, environments } from './environments.ts';

test('the environments are the specification’s, each with a label', () => {
  expect(environments).toEqual(['production', 'staging', 'UAT', 'training', 'test', 'internal']);
  expect(environments.map((environment) => environmentLabels[environment].toLowerCase())).toEqual(
    environments.map((name) => name.toLowerCase()),
  );
});
