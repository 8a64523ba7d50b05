/** Where administrators, or all, must have a second factor: what a session without one is good for. */
import { endpoints } from '@patch/contract/endpoints.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { describeWithDatabase } from '../../testing/databases.ts';
import { password } from '../../testing/factories.ts';
import { withSignInApp } from '../sign-in/testing/sign-in-app.ts';
import { fromBase32 } from './testing/from-base32.ts';
import { stepAt, totpOfStep } from './totp.ts';

describeWithDatabase('a required second factor', (open) => {
  const service = withSignInApp(open);

  async function requireOf(group: string): Promise<void> {
    const token = await service.tokenOf('operator');
    // From an identity provider, of whose people the service requires nothing: what an earlier test required does not hold them up.
    await service.database.query('update sessions set by_provider = true');
    service.now += 6_000;
    const { status } = await service.ask('PUT', '/settings', {
      token,
      body: { secondFactorRequired: group },
    });
    expect(status).toBe(200);
  }
  beforeEach(() => requireOf('nobody'));

  async function setUp(token: string): Promise<string> {
    const { json } = await service.ask('POST', '/user/twofactor/secret', { token });
    const secret = fromBase32(String(json['secret']));
    const otp = totpOfStep(secret, stepAt(service.now));
    const { status } = await service.ask('POST', '/user/twofactor', {
      token,
      body: { password, otp },
    });
    expect(status).toBe(200);
    service.now += 60_000;
    return totpOfStep(secret, stepAt(service.now));
  }

  test('of administrators: nothing but setting it up is answered, then everything', async () => {
    await requireOf('administrators');
    const { json } = await service.signIn('operator');
    expect(json['user']).toMatchObject({ name: 'Operator', mustSetUpSecondFactor: true });
    const token = String(json['token']);
    const refused = { status: 403, json: { code: 'must_set_up_second_factor' } };
    expect(await service.ask('GET', '/settings', { token })).toMatchObject(refused);
    expect(await service.ask('POST', '/windows/kb/search', { token, body: {} })).toMatchObject(
      refused,
    );
    expect(await service.ask('POST', '/me/apikeys', { token, body: {} })).toMatchObject(refused);
    expect((await service.ask('GET', '/me', { token })).json).toMatchObject({
      mustSetUpSecondFactor: true,
    });
    expect((await service.signIn('stan')).json['user']).not.toHaveProperty('mustSetUpSecondFactor');
    const otp = await setUp(token);
    expect((await service.ask('GET', '/settings', { token })).status).toBe(200);
    const again = await service.ask('POST', '/authenticate', {
      body: { username: 'operator', password, otp },
    });
    expect(again.json['user']).not.toHaveProperty('mustSetUpSecondFactor');
    expect(
      await service.ask('POST', '/user/twofactor/off', {
        token,
        body: { password, otp: '000000' },
      }),
    ).toMatchObject({
      status: 409,
      json: { code: 'second_factor_required' },
    });
  });

  test('of everybody holds for sessions that are open already', async () => {
    const stan = await service.tokenOf('stan');
    expect(
      (await service.ask('POST', '/windows/kb/search', { token: stan, body: {} })).status,
    ).toBe(200);
    await requireOf('everybody');
    await service.database.query('update sessions set by_provider = false');
    service.now += 6_000;
    expect(
      await service.ask('POST', '/windows/kb/search', { token: stan, body: {} }),
    ).toMatchObject({
      status: 403,
      json: { code: 'must_set_up_second_factor' },
    });
  });

  describe('is asked in every call that a session makes', () => {
    const free = [
      'me',
      'sign_out',
      'password_policy',
      'change_password',
      'two_factor',
      'begin_two_factor',
      'enable_two_factor',
      'passkeys',
      'begin_passkey',
      'add_passkey',
      'prove_identity',
    ];
    test('but those by which it is set up, and what goes with signing in', async () => {
      await requireOf('everybody');
      const token = await service.tokenOf('operator');
      const answered: string[] = [];
      for (const call of endpoints.filter(
        ({ access, streams, receives }) =>
          access !== 'public' &&
          access !== 'client' &&
          streams === undefined &&
          receives === undefined,
      )) {
        if (call.name === 'sign_out') continue;
        const path = call.path.replaceAll(/\{\w+\}/g, '1');
        const { json } = await service.ask(call.method, path, {
          token,
          ...(call.method === 'GET' ? {} : { body: {} }),
        });
        if (json['code'] !== 'must_set_up_second_factor') answered.push(call.name);
      }
      expect(answered.toSorted()).toEqual(free.filter((name) => name !== 'sign_out').toSorted());
    });
  });
});
