import { describe, expect, test } from 'vitest';
import { AppError } from '../../platform/errors/app-error.ts';
import { password, passwordHash } from '../../testing/factories.ts';
import { withAttemptLimit } from '../accounts/attempt-limit.ts';
import { describeApp, minute } from './testing/sign-in-app.ts';

describeApp('sign-in', (service) => {
  const authenticate = (body: object | string) => service.anyone.post('/authenticate', body);

  describe('signing in', () => {
    test.each([
      'Operator',
      'operator',
      ' OPERATOR ',
      'operator@example.org',
      'Operator@Example.ORG',
    ])('accepts %j', async (username) => {
      const { status, headers, json } = await service.signIn(username);
      expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
      expect(json).toMatchObject({
        token: expect.stringMatching(/^[\w-]{43}$/),
        expiresAt: service.now + 30 * minute,
        user: {
          name: 'Operator',
          email: 'Operator@Example.org',
          userType: 'Admin',
          timezone: null,
          mustChangePassword: false,
        },
      });
    });

    test('gives the same answer for a wrong user and a wrong password', async () => {
      for (const reply of [service.signIn('nobody'), service.signIn('operator', 'wrong')]) {
        expect(await reply.outcome).toBe('401 wrong_credentials');
        expect((await reply.refusal)[1]).toBe('The user name or password is incorrect.');
      }
    });

    test('answers that single sign-on is not configured', async () => {
      const by = (loginType: string) => authenticate({ username: 'operator', password, loginType });
      expect(await by('sso').outcome).toBe('422 sso_not_configured');
      expect(await by('sso').refusal).toEqual([422, 'Single sign-on is not configured.']);
      expect(await by('support-portal').status).toBe(200);
    });

    const magic = { username: 'operator', password, loginType: 'magic' };
    test.each([
      [{}, 'username is required. password is required.'],
      [{ username: '', password: '' }, 'username is required. password is required.'],
      [{ username: 'operator', password: 5 }, 'password must be text.'],
      [magic, 'loginType must be one of: support-portal, sso.'],
    ])('rejects %j with a message', async (body, userMessage) => {
      expect(await authenticate(body).refusal).toEqual([422, userMessage]);
    });
  });

  describe('too many wrong passwords', () => {
    const fail = async (times: number, username = 'operator', from = '192.0.2.1') => {
      const statuses = [];
      for (let turn = 0; turn < times; turn++)
        statuses.push(await service.signIn(username, 'wrong', { from }).status);
      return statuses;
    };

    test('refuses even the correct password for 15 minutes after five wrong ones', async () => {
      expect(await fail(6)).toEqual([401, 401, 401, 401, 401, 429]);
      service.now += minute;
      const { headers, json } = await service.signIn(' OPERATOR');
      expect(headers).toMatchObject({ 'retry-after': '840' });
      expect(json).toMatchObject({
        code: 'locked_out',
        userMessage: 'Too many wrong passwords. Try again in 14 minutes.',
      });
      service.now += 14 * minute - 1;
      expect(await service.signIn('operator').status).toBe(429);
      service.now += 1;
      expect(await service.signIn('operator').status).toBe(200);
    });

    test('locks out no other addresses and accounts', async () => {
      await fail(5);
      expect(await service.signIn('operator', password, { from: '192.0.2.2' }).status).toBe(200);
      expect(await service.signIn('stan').status).toBe(200);
    });

    test('counts an IPv6 network as one address', async () => {
      for (let host = 1; host <= 5; host++) await fail(1, 'operator', `2001:db8:1:2::${host}`);
      expect(await fail(1, 'operator', '2001:db8:1:2:ffff::9')).toEqual([429]);
      expect(await fail(1, 'operator', '2001:db8:1:3::1')).toEqual([401]);
    });

    test('counts any five within 15 minutes, but no older ones', async () => {
      await fail(1);
      service.now += 10 * minute;
      await fail(3);
      service.now += 6 * minute;
      expect(await fail(3)).toEqual([401, 401, 429]);
    });

    test('clears the count after a successful sign-in', async () => {
      await fail(4);
      expect(await service.signIn('operator').status).toBe(200);
      expect(await fail(4)).toEqual([401, 401, 401, 401]);
    });

    test('applies in another process, and to many concurrent attempts', async () => {
      const other = await service.start();
      const tries = Array.from({ length: 12 }, (_, turn) => {
        const of = turn % 2 === 0 ? service.app : other;
        return service.signIn('operator', 'wrong', { of }).status;
      });
      const statuses = (await Promise.all(tries)).toSorted((a, b) => a - b);
      expect(statuses).toEqual([401, 401, 401, 401, 401, ...Array(7).fill(429)]);
      expect(await service.signIn('operator', password, { of: other }).status).toBe(429);
      await other.close();
    });

    test('does not count attempts that could not run', async () => {
      const limit = { account: 'user 0', network: '192.0.2.1', subject: 'passwords' as const };
      const tried = (outcome: boolean | Error) =>
        withAttemptLimit(service.database, { ...limit, now: service.now }, async () => {
          if (outcome instanceof Error) throw outcome;
          return outcome;
        });
      await tried(false);
      const busy = new AppError('busy', 'Try again in a moment.');
      for (let turn = 0; turn < 6; turn++) await expect(tried(busy)).rejects.toBe(busy);
      for (let turn = 0; turn < 4; turn++) expect(await tried(false)).toBe(false);
      await expect(tried(true)).rejects.toMatchObject({ code: 'locked_out' });
    });

    test('admits many concurrent correct passwords', async () => {
      const tries = Array.from({ length: 10 }, () => service.signIn('operator').status);
      expect(await Promise.all(tries)).toEqual(Array(10).fill(200));
    });

    test('does not store the text typed as an unknown name', async () => {
      await fail(1, 'My-Password-Typed-In-The-Wrong-Box');
      const rows = await service.rows('select * from sign_in_attempts');
      expect(rows).toHaveLength(2);
      expect(JSON.stringify(rows).toLowerCase()).not.toContain('my-password');
    });
  });

  test('logs no password and no token', async () => {
    const token = await service.createToken('operator');
    await service.me(token);
    await service.signIn('operator', 'Wrong-But-Secret-1');
    expect(await authenticate(`{"password":"${password}",}`).status).toBe(400);
    const log = service.lines.join('');
    expect(log).toContain('/api/authenticate');
    for (const secret of [token, password, 'Wrong-But-Secret-1', passwordHash])
      expect(log).not.toContain(secret);
  });
});
