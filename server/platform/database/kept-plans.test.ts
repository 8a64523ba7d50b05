import { expect, test } from 'vitest';
import { KeptPlans } from './kept-plans.ts';

const run = (plans: KeptPlans, text: string, times: number) =>
  Array.from({ length: times }, () => plans.nameOf(text)).at(-1);

test('names a statement by its text once it was run several times', () => {
  const plans = new KeptPlans();
  expect(run(plans, 'select 1', 3)).toBeUndefined();
  expect(run(plans, 'select 1', 10)).toMatch(/^[\w-]{43}$/);
  expect(run(plans, 'select 2', 10)).not.toBe(run(plans, 'select 1', 1));
});

test('bounds the number of names, and keeps those that it gave', () => {
  const plans = new KeptPlans();
  const names = Array.from({ length: 1000 }, (_, number) => run(plans, `select ${number}`, 10));
  const given = names.filter((name) => name !== undefined);
  expect(given).toHaveLength(150);
  expect(new Set(given).size).toBe(150);
  expect(run(plans, 'select 0', 1)).toBe(names[0]);
  expect(run(plans, 'select 999', 10)).toBeUndefined();
});

test('names what is repeated among thousands of statements that are run once', () => {
  const plans = new KeptPlans();
  const often = Array.from({ length: 5000 }, (_, number) => {
    plans.nameOf(`select ${number}`);
    return plans.nameOf('select often');
  });
  expect(often.at(-1)).toBeDefined();
});
