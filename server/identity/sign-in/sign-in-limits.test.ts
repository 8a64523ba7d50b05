/** Guesses passwords at sign-in as a stranger does: from one address, from many, of names that exist and of names that do not. */
import { beforeEach, describe, expect, test } from 'vitest';
import { password } from '../../testing/factories.ts';
import { describeApp, minute } from './testing/sign-in-app.ts';

describeApp('guessing at sign-in', (service) => {
  const { now: start } = service;
  beforeEach(() => {
    service.now = start;
  });
  const stranger = (turn: number) => `198.51.${Math.floor(turn / 200)}.${(turn % 200) + 1}`;
  const guess = (username: string, turn: number) =>
    service.signIn(username, 'Wrong-Horse-1', { from: stranger(turn) }).outcome;
  const guessFromMany = async (name: string, count = 30, first = 0) => {
    const outcomes: string[] = [];
    for (let turn = 0; turn < count; turn += 1) outcomes.push(await guess(name, first + turn));
    return outcomes;
  };
  const signInFrom = (from: string, name = 'operator') => service.signIn(name, password, { from });

  test('answers alike for an account that exists and for one that does not, from one address and every spelling', async () => {
    const tried = async (name: string, turn: number) => {
      const spellings = [name, name.toUpperCase(), ` ${name} `];
      const addresses = [`${name}@example.org`, `${name}@EXAMPLE.org`];
      const outcomes: string[] = [];
      for (let round = 0; round < 3; round += 1)
        for (const spelling of [...spellings, ...addresses])
          outcomes.push(await guess(spelling, turn));
      return outcomes;
    };
    const known = await tried('operator', 1);
    expect(known).toContain('429 locked_out');
    expect(await tried('nobody', 2)).toEqual(known);
  });

  test('answers alike for both over 60 addresses, and lets few tries through', async () => {
    const known = await guessFromMany('operator', 60);
    expect(await guessFromMany('nobody', 60, 200)).toEqual(known);
    const counted = Object.groupBy(known, (outcome) => outcome);
    expect(counted['401 wrong_credentials']).toHaveLength(21);
    expect(counted['429 locked_out']).toHaveLength(39);
  });

  describe('while a stranger guesses from many addresses', () => {
    test('the administrator signs in from a known address at once, again and again', async () => {
      await signInFrom('203.0.113.7');
      for (const name of ['operator', 'operator', 'operator@example.org']) {
        expect(await guessFromMany('operator')).toContain('429 locked_out');
        expect(await signInFrom('203.0.113.7', name).status).toBe(200);
      }
    });

    test('a known address is known to all names: it does not tell which account is whose', async () => {
      await signInFrom('203.0.113.8', 'stan');
      const locked = [401, 401, 401, 401, 401, 429, 429];
      for (const name of ['stan', 'nobody']) {
        await guessFromMany(name);
        const statuses: number[] = [];
        while (statuses.length < locked.length)
          statuses.push(await service.signIn(name, 'Wrong-1', { from: '203.0.113.8' }).status);
        expect(statuses).toEqual(locked);
      }
    });

    test('from a new address a right password is taken within a minute', async () => {
      await guessFromMany('operator');
      const early = await signInFrom('203.0.113.9');
      expect([early.status, early.json['userMessage']]).toEqual([
        429,
        'Too many wrong passwords. Try again in a minute.',
      ]);
      expect(Number(early.headers['retry-after'])).toBeLessThanOrEqual(60);
      service.now += minute;
      expect(await signInFrom('203.0.113.9').status).toBe(200);
      await guessFromMany('operator');
      expect(await signInFrom('203.0.113.9').status).toBe(200);
    });
  });

  test('a right password counts as no try: 30 sign-ins from new addresses are all let in', async () => {
    for (let turn = 0; turn < 30; turn += 1)
      expect(await signInFrom(stranger(turn)).status).toBe(200);
    expect(await service.rows('select network from known_network')).toHaveLength(10);
  });
});
