/** Machines that report one key in turns. */
import { expect, test } from 'vitest';
import { identify, type KnownIdentities, packageSketch } from './machine-identity.ts';

const day = 24 * 3_600_000;
const sketchOf = (...names: string[]) =>
  packageSketch({ packages: names.map((name) => ({ name })), applications: [] } as never);
const web = sketchOf('bash', 'nginx', 'openssl', 'curl');
const store = sketchOf('dash', 'postgresql', 'libxml2', 'sudo');
const withOneMore = sketchOf('bash', 'nginx', 'openssl', 'curl', 'strace');

type Report = readonly [name: string, sketch?: typeof web, days?: number];

/** Reports of one key, by default a day after each other. Answers the numbers of the machines, and which of them returned. */
function reported(...reports: readonly Report[]) {
  let known: KnownIdentities | null = null;
  return reports.map(([name, sketch = web, days], index) => {
    const now = (days ?? index) * day;
    const { identities, returned } = identify({ name, sketch, now }, known);
    const current = identities[0]?.id ?? 0;
    known = { identities, lastSeen: now };
    return { current, returned };
  });
}
const returns = (...reports: readonly Report[]) =>
  reported(...reports).map(({ returned }) => returned);

test('two names in turns are noticed when the first comes back', () => {
  expect(returns(['a'], ['b'], ['a'], ['b'])).toEqual([false, false, true, true]);
  const [first, second, third] = reported(['a'], ['b'], ['a']).map(({ current }) => current);
  expect(third).toBe(first);
  expect(second).not.toBe(first);
});

test('two sets of packages under one name are noticed', () => {
  expect(returns(['a', web], ['a', store], ['a', web])).toEqual([false, false, true]);
});

test('a package that comes and goes, and other letters of the name, are of one machine', () => {
  const reports = reported(['web-1'], ['WEB-1', withOneMore], ['web-1']);
  expect(new Set(reports.map(({ current }) => current)).size).toBe(1);
});

test('a machine that is renamed once, or renamed back after months, is no second one', () => {
  expect(returns(['old'], ['new'], ['new'])).toEqual([false, false, false]);
  expect(returns(['old', web, 0], ['new', web, 1], ['old', web, 60])).toEqual([
    false,
    false,
    false,
  ]);
});
