import { specified } from '@patch/catalogue/testing/specified.ts';
import { describe, expect, test } from 'vitest';
import { describeWithDatabase } from '../../testing/databases.ts';
import { password } from '../../testing/factories.ts';
import { withSignInApp } from './testing/sign-in-app.ts';

describeWithDatabase('the own password', (open) => {
  const service = withSignInApp(open);

  describe('the own password', () => {
    const change = (token: string, oldPassword: string, newPassword: string) =>
      service.ask('POST', '/user/changepassword', { token, body: { oldPassword, newPassword } });
    const better = 'Battery-Staple-8';

    test('is changed, and every session of the person ends', async () => {
      const [token, elsewhere, stan] = [
        await service.tokenOf('operator'),
        await service.tokenOf('operator'),
        await service.tokenOf('stan'),
      ];
      expect([
        await service.me(token),
        await service.me(elsewhere),
        await service.me(stan),
      ]).toEqual([200, 200, 200]);
      expect(await change(token, password, better)).toMatchObject({
        status: 200,
        json: { message: specified.passwordChanged },
      });
      expect([
        await service.me(token),
        await service.me(elsewhere),
        await service.me(stan),
      ]).toEqual([401, 401, 200]);
      expect((await service.signIn('operator')).status).toBe(401);
      expect((await service.signIn('operator', better)).status).toBe(200);
    });

    test.each([
      ['wrong', better, 'wrong_password', 'The current password is incorrect.'],
      [password, password, 'same_password', 'The new password must differ from the current one.'],
      [
        password,
        'short',
        'weak_password',
        "New password doesn't match the required criterias. Missing: At least 8 characters, A special character (~!@#$%^&*_-), Letters and digits, Lower and upper case.",
      ],
      [
        password,
        'Nospecial1',
        'weak_password',
        "New password doesn't match the required criterias. Missing: A special character (~!@#$%^&*_-).",
      ],
      [password, '', 'invalid_input', 'newPassword is required.'],
    ])('%j to %j is refused: %s', async (oldPassword, newPassword, code, userMessage) => {
      const token = await service.tokenOf('operator');
      expect(await change(token, oldPassword, newPassword)).toMatchObject({
        status: 422,
        json: { code, userMessage },
      });
      expect((await service.signIn('operator')).status).toBe(200);
    });

    test('cannot be guessed through an open session', async () => {
      const token = await service.tokenOf('operator');
      for (let turn = 0; turn < 5; turn++)
        expect((await change(token, 'wrong', better)).status).toBe(422);
      expect((await change(token, password, better)).status).toBe(429);
    });

    test('of two changes at once one happens', async () => {
      const [one, two] = [await service.tokenOf('operator'), await service.tokenOf('operator')];
      const statuses = (
        await Promise.all([change(one, password, better), change(two, password, 'Other-Staple-9')])
      ).map((reply) => reply.status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    });

    test('follows the policy that an administrator set', async () => {
      const token = await service.tokenOf('stan');
      const policy = {
        minLength: 3,
        enableSpecialChar: false,
        enableAlphabetAndNumber: false,
        enableMixCase: false,
      };
      expect((await service.ask('GET', '/user/passwordpolicy', { token })).json).toEqual({
        minLength: 8,
        enableSpecialChar: true,
        enableAlphabetAndNumber: true,
        enableMixCase: true,
      });
      await service.database.query(
        "insert into settings (name, value) values ('password_policy', $1::jsonb)",
        [JSON.stringify(policy)],
      );
      expect((await service.ask('GET', '/user/passwordpolicy', { token })).json).toEqual(policy);
      expect((await change(token, password, 'abc')).status).toBe(200);
    });

    test('that must be changed comes first', async () => {
      await service.database.query('update users set must_change_password = true');
      const token = await service.tokenOf('operator');
      expect(await service.ask('GET', '/me', { token })).toMatchObject({
        status: 200,
        json: { mustChangePassword: true },
      });
      expect((await change(token, password, better)).status).toBe(200);
      expect((await service.signIn('operator', better)).json).toMatchObject({
        user: { mustChangePassword: false },
      });
    });
  });
});
