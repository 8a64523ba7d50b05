import { describe, expect, test } from 'vitest';
import { AppError } from '../../platform/errors/app-error.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { password, passwordHash } from '../../testing/factories.ts';
import { withAttemptLimit } from '../accounts/attempt-limit.ts';
import { type Answered, minute, withSignInApp } from './testing/sign-in-app.ts';

describeWithDatabase('sign-in', (open) => {
  const service = withSignInApp(open);

  describe('signing in', () => {
    test.each([
      'Operator',
      'operator',
      ' OPERATOR ',
      'operator@example.org',
      'Operator@Example.ORG',
    ])('as %j', async (username) => {
      expect(await service.signIn(username)).toMatchObject({
        status: 200,
        headers: { 'cache-control': 'no-store' },
        json: {
          token: expect.stringMatching(/^[\w-]{43}$/),
          expiresAt: service.now + 30 * minute,
          user: {
            name: 'Operator',
            email: 'Operator@Example.org',
            userType: 'Admin',
            timezone: null,
            mustChangePassword: false,
          },
        },
      });
    });

    test('the answer is the same for a wrong user and a wrong password', async () => {
      const [user, secret] = [
        await service.signIn('nobody'),
        await service.signIn('operator', 'wrong'),
      ];
      const told = ({ status, json: { code, userMessage } }: Answered) => ({
        status,
        code,
        userMessage,
      });
      expect(told(user)).toEqual({
        status: 401,
        code: 'wrong_credentials',
        userMessage: 'The user name or password is incorrect.',
      });
      expect(told(secret)).toEqual(told(user));
    });

    test('single sign-on says that it is not configured', async () => {
      expect(
        await service.ask('POST', '/authenticate', {
          body: { username: 'operator', password, loginType: 'sso' },
        }),
      ).toMatchObject({
        status: 422,
        json: { code: 'sso_not_configured', userMessage: 'Single sign-on is not configured.' },
      });
      expect(
        (
          await service.ask('POST', '/authenticate', {
            body: { username: 'operator', password, loginType: 'support-portal' },
          })
        ).status,
      ).toBe(200);
    });

    test.each([
      [{}, 'username is required. password is required.'],
      [{ username: '', password: '' }, 'username is required. password is required.'],
      [{ username: 'operator', password: 5 }, 'password must be text.'],
      [
        { username: 'operator', password, loginType: 'magic' },
        'loginType must be one of: support-portal, sso.',
      ],
    ])('%j is rejected with a message', async (body, userMessage) => {
      expect(await service.ask('POST', '/authenticate', { body })).toMatchObject({
        status: 422,
        json: { userMessage },
      });
    });

    test('nobody is called what the database takes no text with', async () => {
      expect(await service.signIn('operator\0')).toMatchObject({
        status: 422,
        json: { code: 'invalid_input' },
      });
    });
  });

  describe('too many wrong passwords', () => {
    const fail = async (times: number, username = 'operator', from = '192.0.2.1') => {
      const statuses = [];
      for (let turn = 0; turn < times; turn++)
        statuses.push((await service.signIn(username, 'wrong', { from })).status);
      return statuses;
    };

    test('after five wrong passwords the right one does not help for 15 minutes', async () => {
      expect(await fail(6)).toEqual([401, 401, 401, 401, 401, 429]);
      service.now += minute;
      expect(await service.signIn(' OPERATOR')).toMatchObject({
        status: 429,
        headers: { 'retry-after': '840' },
        json: {
          code: 'locked_out',
          userMessage: 'Too many wrong passwords. Try again in 14 minutes.',
        },
      });
      service.now += 14 * minute - 1;
      expect((await service.signIn('operator')).status).toBe(429);
      service.now += 1;
      expect((await service.signIn('operator')).status).toBe(200);
    });

    test('other addresses and other accounts are not locked out', async () => {
      await fail(5);
      expect((await service.signIn('operator', password, { from: '192.0.2.2' })).status).toBe(200);
      expect((await service.signIn('stan')).status).toBe(200);
    });

    test('one IPv6 network counts as one address', async () => {
      for (let host = 1; host <= 5; host++) await fail(1, 'operator', `2001:db8:1:2::${host}`);
      expect(await fail(1, 'operator', '2001:db8:1:2:ffff::9')).toEqual([429]);
      expect(await fail(1, 'operator', '2001:db8:1:3::1')).toEqual([401]);
    });

    test('failures older than 15 minutes do not count', async () => {
      await fail(4);
      service.now += 15 * minute;
      expect(await fail(5)).toEqual([401, 401, 401, 401, 401]);
      expect(await fail(1)).toEqual([429]);
    });

    test('any five within 15 minutes count, wherever they began', async () => {
      await fail(1);
      service.now += 10 * minute;
      await fail(3);
      service.now += 6 * minute;
      expect(await fail(3)).toEqual([401, 401, 429]);
    });

    test('a good sign-in clears the count', async () => {
      await fail(4);
      expect((await service.signIn('operator')).status).toBe(200);
      expect(await fail(4)).toEqual([401, 401, 401, 401]);
    });

    test('it holds in another process, and for many tries at once', async () => {
      const other = await service.start();
      const tries = Array.from({ length: 12 }, (_, turn) =>
        service.signIn('operator', 'wrong', { of: turn % 2 === 0 ? service.app : other }),
      );
      const statuses = (await Promise.all(tries))
        .map((reply) => reply.status)
        .toSorted((a, b) => a - b);
      expect(statuses).toEqual([401, 401, 401, 401, 401, ...Array(7).fill(429)]);
      expect((await service.signIn('operator', password, { of: other })).status).toBe(429);
      await other.close();
    });

    test('what could not be tried does not count', async () => {
      const tried = (work: () => Promise<boolean>) =>
        withAttemptLimit(
          service.database,
          { account: 'user 0', network: '192.0.2.1', what: 'passwords', now: service.now },
          work,
        );
      await tried(() => Promise.resolve(false));
      const busy = () => Promise.reject(new AppError('busy', 'Try again in a moment.'));
      for (let turn = 0; turn < 6; turn++)
        await expect(tried(busy)).rejects.toMatchObject({ code: 'busy' });
      for (let turn = 0; turn < 4; turn++)
        expect(await tried(() => Promise.resolve(false))).toBe(false);
      await expect(tried(() => Promise.resolve(true))).rejects.toMatchObject({
        code: 'locked_out',
      });
    });

    test('many good ones at once are all let in', async () => {
      const replies = await Promise.all(
        Array.from({ length: 10 }, () => service.signIn('operator')),
      );
      expect(replies.map((reply) => reply.status)).toEqual(Array(10).fill(200));
    });

    test('what was typed as an unknown name is not kept', async () => {
      await fail(1, 'My-Password-Typed-In-The-Wrong-Box');
      const { rows } = await service.database.query('select * from sign_in_attempts');
      expect(rows).toHaveLength(2);
      expect(JSON.stringify(rows).toLowerCase()).not.toContain('my-password');
    });
  });

  test('no password and no token is ever logged', async () => {
    const token = await service.tokenOf('operator');
    await service.me(token);
    await service.signIn('operator', 'Wrong-But-Secret-1');
    await service.app.inject({
      method: 'POST',
      url: '/api/authenticate',
      headers: { 'content-type': 'application/json' },
      payload: `{"password":"${password}",}`,
    });
    const log = service.lines.join('');
    expect(log).toContain('/api/authenticate');
    for (const secret of [token, password, 'Wrong-But-Secret-1', passwordHash])
      expect(log).not.toContain(secret);
  });
});
