import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { queryRows } from '../../platform/database/query-rows.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { deleteExpiredAttempts } from '../accounts/sign-in-attempt-store.ts';
import { minute, withSignInApp } from '../sign-in/testing/sign-in-app.ts';
import { sessionsOf } from './sessions.ts';

describeWithDatabase('sessions', (open) => {
  const service = withSignInApp(open);

  describe('a session', () => {
    test('is known by its token, of which the database has the hash alone', async () => {
      const token = await service.tokenOf('operator');
      expect(await service.ask('GET', '/me', { token })).toMatchObject({
        status: 200,
        json: { name: 'Operator', userType: 'Admin' },
      });
      const { rows } = await service.database.query('select * from sessions');
      expect(JSON.stringify(rows)).not.toContain(token);
    });

    test('no token, a wrong one and a wrong scheme are 401', async () => {
      const token = await service.tokenOf('operator');
      expect(await service.ask('GET', '/me')).toMatchObject({
        status: 401,
        json: { code: 'not_signed_in' },
      });
      expect(await service.ask('GET', '/me', { token: `${token}x` })).toMatchObject({
        status: 401,
        json: { code: 'session_ended' },
      });
      expect(
        (
          await service.app.inject({
            url: '/api/me',
            headers: { authorization: `Bearer ${token}` },
          })
        ).statusCode,
      ).toBe(401);
      expect(
        (
          await service.app.inject({
            url: '/api/me',
            headers: { authorization: `apikey  ${token}` },
          })
        ).statusCode,
      ).toBe(200);
    });

    test('ends after 30 idle minutes', async () => {
      const token = await service.tokenOf('operator');
      service.now += 30 * minute - 1;
      expect(await service.me(token)).toBe(200);
      service.now += 30 * minute;
      expect(await service.me(token)).toBe(401);
    });

    test('lives on while it is used, but 12 hours at most', async () => {
      const token = await service.tokenOf('operator');
      for (let quarter = 1; quarter < 48; quarter++) {
        service.now += 15 * minute;
        expect(await service.me(token)).toBe(200);
      }
      service.now += 15 * minute;
      expect(await service.me(token)).toBe(401);
    });

    test('is written back once a minute at most', async () => {
      const token = await service.tokenOf('operator');
      const used = async () =>
        (
          await queryRows(
            service.database,
            z.object({ last_used_time: z.number() }),
            'select last_used_time from sessions',
          )
        )[0]?.last_used_time;
      const begun = service.now;
      service.now += minute - 1;
      await service.me(token);
      expect(await used()).toBe(begun);
      service.now += 6_000;
      await service.me(token);
      expect(await used()).toBe(service.now);
    });

    test('ends with the sign-out, at once, and the others of the person stay', async () => {
      const [token, other] = [await service.tokenOf('operator'), await service.tokenOf('operator')];
      expect([await service.me(token), await service.me(other)]).toEqual([200, 200]);
      expect(await service.ask('POST', '/signout', { token })).toMatchObject({
        status: 200,
        json: { message: 'You are signed out.' },
      });
      expect([await service.me(token), await service.me(other)]).toEqual([401, 200]);
    });

    test('that ended in another process is refused within seconds', async () => {
      const other = await service.start();
      const token = await service.tokenOf('operator');
      expect(await service.me(token, other)).toBe(200);
      await service.ask('POST', '/signout', { token });
      service.now += 5_000;
      expect(await service.me(token, other)).toBe(401);
      await other.close();
    });

    test('that was being looked up while it ended is not remembered', async () => {
      const token = await service.tokenOf('operator');
      service.now += 10_000;
      const both = await Promise.all([
        service.ask('POST', '/signout', { token }),
        service.me(token),
        service.me(token),
      ]);
      expect(both[0].status).toBe(200);
      expect(await service.me(token)).toBe(401);
    });
  });

  test('what has expired is removed', async () => {
    await service.tokenOf('operator');
    await service.signIn('operator', 'wrong');
    service.now += 13 * 60 * minute;
    await sessionsOf(
      service.database,
      () => ({ idleMs: minute, maxMs: minute, secondFactorRequired: 'nobody' }),
      () => service.now,
    ).removeExpired();
    await deleteExpiredAttempts(service.database, service.now);
    expect((await service.database.query('select * from sessions')).rows).toEqual([]);
    expect((await service.database.query('select * from sign_in_attempts')).rows).toEqual([]);
  });
});
