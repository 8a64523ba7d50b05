import { describe, expect, test } from 'vitest';
import { deleteExpiredAttempts } from '../accounts/sign-in-attempt-store.ts';
import { describeApp, hour, minute } from '../sign-in/testing/sign-in-app.ts';
import { Sessions } from './sessions.ts';

describeApp('sessions', (service) => {
  const signIn = () => service.createToken('operator');
  const stored = (table = 'sessions') => service.rows(`select * from ${table}`);

  describe('a session', () => {
    test('is identified by its token, of which the database has only the hash', async () => {
      const token = await signIn();
      expect(await service.as(token).get('/me').json).toMatchObject({
        name: 'Operator',
        userType: 'Admin',
      });
      expect(JSON.stringify(await stored())).not.toContain(token);
    });

    test('is refused with 401 without a token, with a wrong one and with a wrong scheme', async () => {
      const token = await signIn();
      const as = (authorization: string) => service.anyone.get('/me', { authorization });
      expect(await service.anyone.get('/me').outcome).toBe('401 not_signed_in');
      expect(await service.as(`${token}x`).get('/me').outcome).toBe('401 session_ended');
      expect(await as(`Bearer ${token}`).status).toBe(401);
      expect(await as(`apikey  ${token}`).status).toBe(200);
    });

    test('ends after 30 idle minutes', async () => {
      const token = await signIn();
      service.now += 30 * minute - 1;
      expect(await service.me(token)).toBe(200);
      service.now += 30 * minute;
      expect(await service.me(token)).toBe(401);
    });

    test('continues while it is used, but 12 hours at most', async () => {
      const token = await signIn();
      for (let quarter = 1; quarter < 48; quarter++) {
        service.now += 15 * minute;
        expect(await service.me(token)).toBe(200);
      }
      service.now += 15 * minute;
      expect(await service.me(token)).toBe(401);
    });

    test('ends when the clock is set back to before it began', async () => {
      const now = service.now;
      service.now += 365 * 24 * hour;
      const token = await signIn();
      expect(await service.me(token)).toBe(200);
      service.now = now;
      expect(await service.me(token)).toBe(401);
      expect(await service.me(await signIn())).toBe(200);
    });

    test('counts its idle time from the time to which the clock was set back', async () => {
      const token = await signIn();
      const begun = service.now;
      for (let use = 0; use < 20; use += 1) {
        service.now += 20 * minute;
        expect(await service.me(token)).toBe(200);
      }
      service.now = begun + minute;
      expect(await service.me(token)).toBe(200);
      service.now += 31 * minute;
      expect(await service.me(token)).toBe(401);
    });

    test('is not trusted for longer after the clock was set back when another process ended it', async () => {
      const token = await signIn();
      expect(await service.me(token)).toBe(200);
      await service.rows('delete from sessions returning id');
      service.now -= minute;
      expect(await service.me(token)).toBe(401);
    });

    test('is written at most once a minute', async () => {
      const token = await signIn();
      const used = async () => Number((await stored())[0]?.['last_used_time']);
      const begun = service.now;
      service.now += minute - 1;
      await service.me(token);
      expect(await used()).toBe(begun);
      service.now += 6_000;
      await service.me(token);
      expect(await used()).toBe(service.now);
    });

    test("ends at sign-out, and the person's other sessions continue", async () => {
      const [token, other] = [await signIn(), await signIn()];
      expect([await service.me(token), await service.me(other)]).toEqual([200, 200]);
      const { json } = await service.as(token).post('/signout');
      expect(json).toEqual({ message: 'You are signed out.' });
      expect([await service.me(token), await service.me(other)]).toEqual([401, 200]);
    });

    test('is refused within seconds after it ended in another process', async () => {
      const other = await service.start();
      const token = await signIn();
      expect(await service.me(token, other)).toBe(200);
      await service.as(token).post('/signout');
      service.now += 5_000;
      expect(await service.me(token, other)).toBe(401);
      await other.close();
    });

    test('is not cached when it ends during its lookup', async () => {
      const token = await signIn();
      service.now += 10_000;
      const [signedOut] = await Promise.all([
        service.as(token).post('/signout').status,
        service.me(token),
        service.me(token),
      ]);
      expect(signedOut).toBe(200);
      expect(await service.me(token)).toBe(401);
    });
  });

  test('removes expired sessions', async () => {
    await signIn();
    await service.signIn('operator', 'wrong');
    service.now += 13 * hour;
    await new Sessions(
      service.database,
      () => ({ idleMs: minute, maxMs: minute, secondFactorRequired: 'nobody' }),
      () => service.now,
    ).removeExpired();
    await deleteExpiredAttempts(service.database, service.now);
    expect(await stored()).toEqual([]);
    expect(await stored('sign_in_attempts')).toEqual([]);
  });
});
