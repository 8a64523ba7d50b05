/** Sessions without a second factor, when the service requires one of administrators or of everybody. */
import { endpoints } from '@patch/contract/endpoints.ts';
import { beforeEach, expect, test } from 'vitest';
import type { Caller } from '../../testing/caller.ts';
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

  test('stops API keys and Atom feeds of those who have none', async () => {
    const { operator, stan } = service;
    const keys = [await service.createKey(operator, 'read'), await service.createKey(stan, 'read')];
    const addFeed = async (by: Caller) => {
      const { secretAddress } = await by.post('/sources/almaLinux/atomfeeds').json;
      return String(secretAddress).replace(/^.*\/api/, '');
    };
    const feeds = [await addFeed(operator), await addFeed(stan)];
    const outcomes = async () => [
      ...(await Promise.all(keys.map(searchAs))),
      ...(await Promise.all(feeds.map((path) => service.anyone.get(path).outcome))),
    ];
    const metricsStatus = async () => {
      const headers = { authorization: `Apikey ${keys[0]}` };
      return (await service.app.inject({ url: '/metrics', headers })).statusCode;
    };
    const gone = '404 no_such_atom_feed';
    expect(await outcomes()).toEqual(['200', '200', '200', '200']);
    expect(await metricsStatus()).toBe(200);
    await setRequirement('administrators');
    expect(await outcomes()).toEqual([refused, '200', gone, '200']);
    expect(await metricsStatus()).toBe(401);
    await setRequirement('everybody');
    expect(await outcomes()).toEqual([refused, refused, gone, gone]);
    // An identity provider uses its own.
    await service.database.query(
      "insert into sso_identity (issuer, subject, user_id, created_time) select 'https://login', 'stan', id, 0 from users where name = 'Stan'",
    );
    expect(await outcomes()).toEqual([refused, '200', gone, '200']);
    await service.database.query(
      "insert into two_factor (user_id, sealed_secret, enabled_time, last_step) select id, '', 1, 0 from users where name = 'Operator'",
    );
    expect(await outcomes()).toEqual(['200', '200', '200', '200']);
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
