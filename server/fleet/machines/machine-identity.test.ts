/** Machines that alternately report one key. */
import { expect, test } from 'vitest';
import { identify, type KnownIdentities, packageSketch } from './machine-identity-store.ts';

const day = 24 * 3_600_000;
const buildSketch = (...names: string[]) =>
  packageSketch({ packages: names.map((name) => ({ name })), applications: [] } as never);
const web = buildSketch('bash', 'nginx', 'openssl', 'curl');
const store = buildSketch('dash', 'postgresql', 'libxml2', 'sudo');
const withOneMore = buildSketch('bash', 'nginx', 'openssl', 'curl', 'strace');

type Report = readonly [name: string, sketch?: typeof web, days?: number];

/** Reports one key, by default once a day. Returns the ids of the machines, and which of them returned. */
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

test('detects two alternating names when the first returns', () => {
  expect(returns(['a'], ['b'], ['a'], ['b'])).toEqual([false, false, true, true]);
  const [first, second, third] = reported(['a'], ['b'], ['a']).map(({ current }) => current);
  expect(third).toBe(first);
  expect(second).not.toBe(first);
});

test('detects two sets of packages under one name', () => {
  expect(returns(['a', web], ['a', store], ['a', web])).toEqual([false, false, true]);
});

test('keeps the identity when a package comes and goes, or the case of the name changes', () => {
  const reports = reported(['web-1'], ['WEB-1', withOneMore], ['web-1']);
  expect(new Set(reports.map(({ current }) => current)).size).toBe(1);
});

test('detects no second machine when it is renamed once, or renamed back after months', () => {
  expect(returns(['old'], ['new'], ['new'])).toEqual([false, false, false]);
  expect(returns(['old', web, 0], ['new', web, 1], ['old', web, 60])).toEqual([
    false,
    false,
    false,
  ]);
});
