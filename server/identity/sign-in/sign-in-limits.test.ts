/** Guesses passwords at sign-in as a stranger does: from one address, from many, of names that exist and of names that do not. */
import { beforeEach, describe, expect, test } from 'vitest';
import { describeWithDatabase } from '../../testing/databases.ts';
import { password } from '../../testing/factories.ts';
import { minute, withSignInApp } from './testing/sign-in-app.ts';

describeWithDatabase('guessing at sign-in', (open) => {
  const service = withSignInApp(open);
  const { now: start } = service;
  beforeEach(() => {
    service.now = start;
  });
  const stranger = (turn: number) => `198.51.${Math.floor(turn / 200)}.${(turn % 200) + 1}`;
  const guess = async (username: string, turn: number, typed = 'Wrong-Horse-1') => {
    const { status, json } = await service.signIn(username, typed, { from: stranger(turn) });
    return `${status} ${String(json['code'])}`;
  };
  const counted = (statuses: readonly string[]) => Object.groupBy(statuses, (status) => status);

  test('answers alike for an account that exists and for one that does not, from one address and every spelling', async () => {
    const spellings = (name: string) => [
      name,
      name.toUpperCase(),
      ` ${name} `,
      `${name}@example.org`,
      `${name}@EXAMPLE.org`,
    ];
    const tried = async (name: string, turn: number) => {
      const statuses: string[] = [];
      for (let round = 0; round < 8; round += 1)
        for (const spelling of spellings(name)) statuses.push(await guess(spelling, turn));
      return statuses;
    };
    const known = await tried('operator', 1);
    expect(known).toContain('429 locked_out');
    expect(await tried('nobody', 2)).toEqual(known);
  });

  test('answers alike for both over 150 addresses, and lets few tries through', async () => {
    const tried = async (name: string, from: number) => {
      const statuses: string[] = [];
      for (let turn = 0; turn < 150; turn += 1) statuses.push(await guess(name, from + turn));
      return statuses;
    };
    const known = await tried('operator', 0);
    expect(await tried('nobody', 200)).toEqual(known);
    expect(counted(known)['401 wrong_credentials']).toHaveLength(21);
    expect(counted(known)['429 locked_out']).toHaveLength(129);
  });

  describe('while a stranger guesses from many addresses', () => {
    const attack = async () => {
      for (let turn = 0; turn < 60; turn += 1) await guess('operator', turn);
    };

    test('the administrator signs in from a known address at once, again and again', async () => {
      await service.signIn('operator', password, { from: '203.0.113.7' });
      await attack();
      for (let turn = 0; turn < 3; turn += 1) {
        expect((await service.signIn('operator', password, { from: '203.0.113.7' })).status).toBe(
          200,
        );
        await attack();
      }
      expect(
        (await service.signIn('operator@example.org', password, { from: '203.0.113.7' })).status,
      ).toBe(200);
    });

    test('a known address is known to all names: it does not tell which account is whose', async () => {
      await service.signIn('stan', password, { from: '203.0.113.8' });
      const tried = async (name: string) => {
        for (let turn = 0; turn < 60; turn += 1) await guess(name, turn);
        const statuses: number[] = [];
        for (let turn = 0; turn < 7; turn += 1)
          statuses.push((await service.signIn(name, 'Wrong-1', { from: '203.0.113.8' })).status);
        return statuses;
      };
      expect(await tried('stan')).toEqual([401, 401, 401, 401, 401, 429, 429]);
      expect(await tried('nobody')).toEqual([401, 401, 401, 401, 401, 429, 429]);
    });

    test('from a new address a right password is taken within a minute', async () => {
      await attack();
      const early = await service.signIn('operator', password, { from: '203.0.113.9' });
      expect(early).toMatchObject({
        status: 429,
        json: { userMessage: 'Too many wrong passwords. Try again in a minute.' },
      });
      expect(Number(early.headers['retry-after'])).toBeLessThanOrEqual(60);
      service.now += minute;
      expect((await service.signIn('operator', password, { from: '203.0.113.9' })).status).toBe(
        200,
      );
      await attack();
      expect((await service.signIn('operator', password, { from: '203.0.113.9' })).status).toBe(
        200,
      );
    });
  });

  test('a right password counts as no try: 30 sign-ins from new addresses are all let in', async () => {
    for (let turn = 0; turn < 30; turn += 1) {
      expect((await service.signIn('operator', password, { from: stranger(turn) })).status).toBe(
        200,
      );
    }
    const { rows } = await service.database.query('select network from known_network');
    expect(rows).toHaveLength(10);
  });
});
