/** Sessions without a second factor, when the service requires one of administrators or of everybody. */
import { endpoints } from '@patch/contract/endpoints.ts';
import { beforeEach, expect, test } from 'vitest';
import { password } from '../../testing/factories.ts';
import { describeApp, minute } from '../sign-in/testing/sign-in-app.ts';
import { fromBase32 } from './testing/from-base32.ts';
import { stepAt, totpAtStep } from './totp.ts';

const refused = '403 must_set_up_second_factor';

describeApp('required second factor', (service) => {
  async function setRequirement(secondFactorRequired: string): Promise<void> {
    const operator = service.as(await service.createToken('operator'));
    // Uses a session of an identity provider, for which nothing is required, in case an earlier test required a factor.
    await service.database.query('update sessions set by_provider = true');
    service.now += 6_000;
    expect(await operator.put('/settings', { secondFactorRequired }).status).toBe(200);
  }
  beforeEach(() => setRequirement('nobody'));
  const searchAs = (token: unknown) => service.as(token).post('/windows/kb/search', {}).outcome;

  test('allows administrators only to set it up, then everything', async () => {
    await setRequirement('administrators');
    const needed = { mustSetUpSecondFactor: true };
    const { token, user } = await service.signIn('operator').json;
    expect(user).toMatchObject({ name: 'Operator', ...needed });
    const operator = service.as(token);
    expect(await operator.get('/settings').outcome).toBe(refused);
    expect(await searchAs(token)).toBe(refused);
    expect(await operator.post('/me/apikeys', {}).outcome).toBe(refused);
    expect(await operator.get('/me').json).toMatchObject(needed);
    expect((await service.signIn('stan').json)['user']).not.toHaveProperty('mustSetUpSecondFactor');

    const secret = fromBase32(
      String((await operator.post('/user/twofactor/secret').json)['secret']),
    );
    const otp = () => totpAtStep(secret, stepAt(service.now));
    expect(await operator.post('/user/twofactor', { password, otp: otp() }).status).toBe(200);
    service.now += minute;
    expect(await operator.get('/settings').status).toBe(200);
    const again = await service.signIn('operator', password, { otp: otp() }).json;
    expect(again['user']).not.toHaveProperty('mustSetUpSecondFactor');
    const off = operator.post('/user/twofactor/off', { password, otp: '000000' });
    expect(await off.outcome).toBe('409 second_factor_required');
  });

  test('applies to sessions that are already open', async () => {
    const stan = await service.createToken('stan');
    expect(await searchAs(stan)).toBe('200');
    await setRequirement('everybody');
    await service.database.query('update sessions set by_provider = false');
    service.now += 6_000;
    expect(await searchAs(stan)).toBe(refused);
  });

  test('applies to every call except those to set it up, and to sign in and out', async () => {
    await setRequirement('everybody');
    const token = await service.createToken('operator');
    const answered: string[] = [];
    for (const { name, method, path, access, streams, receives } of endpoints) {
      if (access === 'public' || access === 'client' || name === 'sign_out') continue;
      if (streams !== undefined || receives !== undefined) continue;
      const body = method === 'GET' ? {} : { body: {} };
      const reply = service.ask(method, path.replaceAll(/\{\w+\}/g, '1'), { token, ...body });
      if ((await reply.outcome) !== refused) answered.push(name);
    }
    expect(answered.toSorted()).toEqual([
      'add_passkey',
      'begin_passkey',
      'begin_two_factor',
      'change_password',
      'enable_two_factor',
      'me',
      'passkeys',
      'password_policy',
      'prove_identity',
      'two_factor',
    ]);
  });
});
