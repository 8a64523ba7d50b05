/** Where administrators, or all, must have a second factor: what a session without one is good for. */
import { endpoints } from '@patch/contract/endpoints.ts';
import { beforeEach, expect, test } from 'vitest';
import { password } from '../../testing/factories.ts';
import { describeApp, minute } from '../sign-in/testing/sign-in-app.ts';
import { fromBase32 } from './testing/from-base32.ts';
import { stepAt, totpOfStep } from './totp.ts';

const refused = '403 must_set_up_second_factor';

describeApp('a required second factor', (service) => {
  async function requireOf(secondFactorRequired: string): Promise<void> {
    const operator = service.as(await service.tokenOf('operator'));
    // From an identity provider, of whose people the service requires nothing: what an earlier test required does not hold them up.
    await service.database.query('update sessions set by_provider = true');
    service.now += 6_000;
    expect(await operator.put('/settings', { secondFactorRequired }).status).toBe(200);
  }
  beforeEach(() => requireOf('nobody'));
  const searchAs = (token: unknown) => service.as(token).post('/windows/kb/search', {}).outcome;

  test('of administrators: nothing but setting it up is answered, then everything', async () => {
    await requireOf('administrators');
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
    const otp = () => totpOfStep(secret, stepAt(service.now));
    expect(await operator.post('/user/twofactor', { password, otp: otp() }).status).toBe(200);
    service.now += minute;
    expect(await operator.get('/settings').status).toBe(200);
    const again = await service.signIn('operator', password, { otp: otp() }).json;
    expect(again['user']).not.toHaveProperty('mustSetUpSecondFactor');
    const off = operator.post('/user/twofactor/off', { password, otp: '000000' });
    expect(await off.outcome).toBe('409 second_factor_required');
  });

  test('of everybody holds for sessions that are open already', async () => {
    const stan = await service.tokenOf('stan');
    expect(await searchAs(stan)).toBe('200');
    await requireOf('everybody');
    await service.database.query('update sessions set by_provider = false');
    service.now += 6_000;
    expect(await searchAs(stan)).toBe(refused);
  });

  test('is asked in every call but those by which it is set up, and what goes with signing in', async () => {
    await requireOf('everybody');
    const token = await service.tokenOf('operator');
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
