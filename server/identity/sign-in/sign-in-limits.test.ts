/** Guesses passwords at sign-in as a stranger does: from one address and from many, for existing and unknown names. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { AppError } from '../../platform/errors/app-error.ts';
import { password } from '../../testing/factories.ts';
import { limitedSignIn } from '../accounts/attempt-limit.ts';
import { describeApp, minute } from './testing/sign-in-app.ts';

describeApp('guessing at sign-in', (service) => {
  const { now: start } = service;
  beforeEach(() => {
    service.now = start;
  });
  const stranger = (turn: number) => `198.51.${Math.floor(turn / 200)}.${(turn % 200) + 1}`;
  const guess = (username: string, turn: number) =>
    service.signIn(username, 'Wrong-Horse-1', { from: stranger(turn) }).outcome;
  /** Counts wrong passwords from 30 addresses as a sign-in does, without the cost of 30 requests. */
  const guessFromMany = async (username: string) => {
    const outcomes: unknown[] = [];
    for (let turn = 0; turn < 30; turn += 1) {
      const attempt = { username, address: stranger(turn), now: service.now };
      const outcome = limitedSignIn(service.database, { ...attempt, isRight: async () => false });
      outcomes.push(await outcome.catch((error: unknown) => (error as AppError).code));
    }
    return outcomes;
  };
  const signInFrom = (from: string, name = 'operator') => service.signIn(name, password, { from });

  test('gets the same answers for an existing account and for an unknown one, from one address and in every spelling', async () => {
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

  test('gets the same answers for both from 30 addresses, and few attempts', async () => {
    const tried = async (name: string, first: number) => {
      const outcomes: string[] = [];
      for (let turn = 0; turn < 30; turn += 1) outcomes.push(await guess(name, first + turn));
      return outcomes;
    };
    const known = await tried('operator', 0);
    expect(await tried('nobody', 200)).toEqual(known);
    const counted = Object.groupBy(known, (outcome) => outcome);
    expect(counted['401 wrong_credentials']).toHaveLength(21);
    expect(counted['429 locked_out']).toHaveLength(9);
  });

  describe('while a stranger guesses from many addresses', () => {
    test('signs the administrator in from a known address at once, repeatedly', async () => {
      await signInFrom('203.0.113.7');
      for (const name of ['operator', 'operator', 'operator@example.org']) {
        expect(await guessFromMany('operator')).toContain('locked_out');
        expect(await signInFrom('203.0.113.7', name).status).toBe(200);
      }
    });

    test('treats a known address as known for all names, which reveals no account', async () => {
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

    test('accepts a correct password from a new address within a minute', async () => {
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

  test('does not count correct passwords: 25 sign-ins from new addresses succeed', async () => {
    for (let turn = 0; turn < 25; turn += 1)
      expect(await signInFrom(stranger(turn)).status).toBe(200);
    expect(await service.rows('select network from known_network')).toHaveLength(10);
  });
});
