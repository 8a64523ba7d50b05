/** Machines that report one key in turns. */
import { describe, expect, it } from 'vitest';
import {
  type IdentityReport,
  identify,
  type KnownIdentities,
  packageSketch,
} from './machine-identity.ts';

const day = 24 * 3_600_000;
const sketchOf = (...names: string[]) =>
  packageSketch({ packages: names.map((name) => ({ name })), applications: [] } as never);
const web = sketchOf('bash', 'nginx', 'openssl', 'curl');
const store = sketchOf('dash', 'postgresql', 'libxml2', 'sudo');

/** The reports of a key, each a day after the one before. Answers the numbers of the machines, and which of them returned. */
function reported(...reports: readonly Omit<IdentityReport, 'now'>[]) {
  let known: KnownIdentities | null = null;
  return reports.map((report, index) => {
    const now = index * day;
    const { identities, returned } = identify({ ...report, now }, known);
    const current = identities[0]?.id ?? 0;
    known = { identities, current, lastSeen: now };
    return { current, returned };
  });
}

const returns = (...reports: readonly Omit<IdentityReport, 'now'>[]) =>
  reported(...reports).map(({ returned }) => returned);

describe('identify', () => {
  it('notices two names in turns when the first comes back', () => {
    const [a, b] = [
      { name: 'web-1', sketch: web },
      { name: 'web-2', sketch: web },
    ];
    expect(returns(a, b, a, b)).toEqual([false, false, true, true]);
    const [first, second, third] = reported(a, b, a).map(({ current }) => current);
    expect(third).toBe(first);
    expect(second).not.toBe(first);
  });

  it('notices two sets of packages under one name', () => {
    const [a, b] = [
      { name: 'node', sketch: web },
      { name: 'node', sketch: store },
    ];
    expect(returns(a, b, a)).toEqual([false, false, true]);
  });

  it('takes a package that comes and goes, and other letters of the name, for one machine', () => {
    const more = sketchOf('bash', 'nginx', 'openssl', 'curl', 'strace');
    expect(
      new Set(
        reported(
          { name: 'web-1', sketch: web },
          { name: 'WEB-1', sketch: more },
          { name: 'web-1', sketch: web },
        ).map(({ current }) => current),
      ).size,
    ).toBe(1);
  });

  it('takes a machine that is renamed once, or renamed back after months, for no second one', () => {
    const [a, b] = [
      { name: 'old', sketch: web },
      { name: 'new', sketch: web },
    ];
    expect(returns(a, b, b)).toEqual([false, false, false]);
    const first = identify({ ...a, now: 0 }, null).identities;
    const second = identify(
      { ...b, now: day },
      { identities: first, current: first[0]?.id ?? 0, lastSeen: day },
    ).identities;
    expect(
      identify(
        { ...a, now: 60 * day },
        { identities: second, current: second[0]?.id ?? 0, lastSeen: 60 * day },
      ).returned,
    ).toBe(false);
  });

  it('keeps the number of a machine that an earlier version took in', () => {
    const known = { identities: [], current: 0, lastSeen: 0 };
    expect(identify({ name: 'a', sketch: web, now: day }, known)).toMatchObject({
      identities: [{ id: 0 }],
      returned: false,
    });
  });
});
