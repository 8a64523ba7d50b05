import { specified } from '@patch/catalogue/testing/specified.ts';
import { expect, test } from 'vitest';
import { password } from '../../testing/factories.ts';
import { describeApp } from './testing/sign-in-app.ts';

describeApp('own password', (service) => {
  const { operator, stan } = service;
  const change = (oldPassword: string, newPassword: string, by = operator) =>
    by.post('/user/changepassword', { oldPassword, newPassword });
  const better = 'Battery-Staple-8';
  const missing = (rules: string) =>
    `New password doesn't match the required criterias. Missing: ${rules}.`;

  test('is changed and ends every session of the person', async () => {
    const sessions = [
      await operator.token(),
      await service.createToken('operator'),
      await service.createToken('stan'),
    ];
    const seen = () => Promise.all(sessions.map((token) => service.me(token)));
    expect(await seen()).toEqual([200, 200, 200]);
    const { status, json } = await change(password, better);
    expect([status, json]).toEqual([200, { message: specified.passwordChanged }]);
    expect(await seen()).toEqual([401, 401, 200]);
    expect(await service.signIn('operator').status).toBe(401);
    expect(await service.signIn('operator', better).status).toBe(200);
  });

  test.each([
    ['wrong', better, 'wrong_password', 'The current password is incorrect.'],
    [password, password, 'same_password', 'The new password must differ from the current one.'],
    [
      password,
      'short',
      'weak_password',
      missing(
        'At least 8 characters, A special character (~!@#$%^&*_-), Letters and digits, Lower and upper case',
      ),
    ],
    [password, 'Nospecial1', 'weak_password', missing('A special character (~!@#$%^&*_-)')],
    [password, '', 'invalid_input', 'newPassword is required.'],
  ])('is refused from %j to %j: %s', async (oldPassword, newPassword, code, userMessage) => {
    const { status, json } = await change(oldPassword, newPassword);
    expect([status, json]).toMatchObject([422, { code, userMessage }]);
    expect(await service.signIn('operator').status).toBe(200);
  });

  test('cannot be guessed through an open session', async () => {
    for (let turn = 0; turn < 5; turn++) expect(await change('wrong', better).status).toBe(422);
    expect(await change(password, better).status).toBe(429);
  });

  test('is changed by one of two concurrent requests', async () => {
    const others = [await service.createToken('operator'), await service.createToken('operator')];
    const statuses = await Promise.all(
      others.map((token, n) => change(password, `${better}${n}`, service.as(token)).status),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  });

  test('follows the policy that an administrator set', async () => {
    const usual = {
      minLength: 8,
      enableSpecialChar: true,
      enableAlphabetAndNumber: true,
      enableMixCase: true,
    };
    expect(await stan.get('/user/passwordpolicy').json).toEqual(usual);
    const policy = { ...usual, minLength: 12, enableSpecialChar: false, enableMixCase: false };
    const tooShort = { ...policy, minLength: 7 };
    expect(await operator.put('/user/passwordpolicy', tooShort).status).toBe(422);
    expect(await operator.put('/user/passwordpolicy', policy).json).toEqual(policy);
    expect(await stan.get('/user/passwordpolicy').json).toEqual(policy);
    expect(await change(password, 'Horse-8', stan).outcome).toBe('422 weak_password');
    expect(await change(password, 'all lower case 8', stan).status).toBe(200);
  });

  test('must be changed before anything else when it was assigned', async () => {
    await service.database.query('update users set must_change_password = true');
    expect(await operator.get('/me').json).toMatchObject({ mustChangePassword: true });
    expect(await change(password, better).status).toBe(200);
    const { user } = await service.signIn('operator', better).json;
    expect(user).toMatchObject({ mustChangePassword: false });
  });
});
