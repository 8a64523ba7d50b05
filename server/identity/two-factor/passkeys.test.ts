import { maxPasskeys } from '@patch/contract/passkey-endpoints.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { describeWithDatabase } from '../../testing/databases.ts';
import { appConfig, password } from '../../testing/factories.ts';
import { type Answered, minute, withSignInApp } from '../sign-in/testing/sign-in-app.ts';
import { fromBase32 } from './testing/from-base32.ts';
import { SoftwareAuthenticator } from './testing/software-authenticator.ts';
import { stepAt, totpOfStep } from './totp.ts';

describeWithDatabase('passkeys', (open) => {
  const service = withSignInApp(open);
  let stan: string;
  let authenticator: SoftwareAuthenticator;

  const path = '/user/twofactor/passkeys';
  const post = (to: string, body?: object, token = stan) =>
    service.ask('POST', to, { token, ...(body !== undefined && { body }) });
  const list = async (token = stan) =>
    (await service.ask('GET', path, { token })).json as {
      objList: { id: number }[];
      totalCount: number;
    };
  const challengeOf = ({ status, json }: Answered, name: 'options' | 'passkey') => {
    expect(status, JSON.stringify(json)).toBe(200);
    return json[name] as { challenge: string };
  };
  const begin = async (token = stan) =>
    challengeOf(await post(`${path}/options`, undefined, token), 'options');
  const add = async (own = authenticator, token = stan, name = 'Laptop') =>
    post(path, { name, registration: own.register(await begin(token)) }, token);
  const choices = (username = 'stan', typed = password) =>
    service.ask('POST', '/authenticate/secondfactor', { body: { username, password: typed } });
  const signIn = (more: object = {}, username = 'stan') =>
    service.ask('POST', '/authenticate', { body: { username, password, ...more } });
  const signInWith = async (own = authenticator) => {
    const asked = challengeOf(await choices(), 'passkey');
    own.counter++;
    return signIn({ passkey: own.sign(asked) });
  };

  beforeEach(async () => {
    authenticator = new SoftwareAuthenticator();
    stan = await service.tokenOf('stan');
  });

  test('the first one switches the second factor on and comes with backup codes', async () => {
    expect(await list()).toEqual({ objList: [], totalCount: 0, unavailable: null });
    const added = await add();
    expect(added).toMatchObject({
      status: 201,
      json: {
        passkey: {
          name: 'Laptop',
          host: 'patch.example.org',
          createdAt: service.now,
          lastUsedAt: null,
        },
      },
    });
    expect(added.json['backupCodes']).toHaveLength(10);
    expect(await signIn()).toMatchObject({ status: 401, json: { code: 'otp_required' } });
    expect((await add(new SoftwareAuthenticator())).json['backupCodes']).toBeNull();
    expect((await list()).totalCount).toBe(2);
    const [code] = added.json['backupCodes'] as string[];
    expect((await signIn({ otp: code })).status).toBe(200);
    expect((await signIn({ otp: '000000' })).json['code']).toBe('otp_wrong');
  });

  describe('signing in with one', () => {
    beforeEach(async () => {
      await add();
    });

    test('asks for the password first, then for the passkey', async () => {
      expect(await choices('stan', 'wrong')).toMatchObject({
        status: 401,
        json: { code: 'wrong_credentials' },
      });
      expect(await choices('unknown')).toMatchObject({
        status: 401,
        json: { code: 'wrong_credentials' },
      });
      const { json } = await choices();
      expect(json).toMatchObject({
        app: false,
        backupCodesLeft: 10,
        passkey: {
          rpId: 'patch.example.org',
          allowCredentials: [
            {
              id: authenticator.credentialId.toString('base64url'),
              type: 'public-key',
              transports: ['internal'],
            },
          ],
        },
      });
      expect((await signInWith()).status).toBe(200);
      expect((await list()).objList).toMatchObject([{ lastUsedAt: service.now }]);
    });

    test('a signature is accepted once, and not after five minutes', async () => {
      const passkey = authenticator.sign(challengeOf(await choices(), 'passkey'));
      expect((await signIn({ passkey })).status).toBe(200);
      expect(await signIn({ passkey })).toMatchObject({ status: 401, json: { code: 'otp_wrong' } });
      const late = authenticator.sign(challengeOf(await choices(), 'passkey'));
      service.now += 5 * minute;
      expect((await signIn({ passkey: late })).status).toBe(401);
    });

    test('one signature for many sign-ins at once lets one in', async () => {
      const passkey = authenticator.sign(challengeOf(await choices(), 'passkey'));
      const replies = await Promise.all([1, 2, 3, 4].map(() => signIn({ passkey })));
      expect(replies.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([
        200, 401, 401, 401,
      ]);
    });

    test.each<[string, (own: SoftwareAuthenticator) => void]>([
      ['another page of the same host', (own) => (own.origin = 'http://patch.example.org')],
      ['a page that looks alike', (own) => (own.origin = 'https://patch.example.com')],
      ['an authenticator that is bound to another host', (own) => (own.host = 'example.org')],
    ])('what was signed for %s is refused', async (_, change) => {
      change(authenticator);
      expect(await signInWith()).toMatchObject({ status: 401, json: { code: 'otp_wrong' } });
    });

    test('another key, another credential and the challenge of another person are refused', async () => {
      const asked = challengeOf(await choices(), 'passkey');
      const stranger = new SoftwareAuthenticator();
      expect((await signIn({ passkey: stranger.sign(asked) })).status).toBe(401);
      const forged = {
        ...stranger.sign(asked),
        id: authenticator.credentialId.toString('base64url'),
      };
      expect((await signIn({ passkey: forged })).status).toBe(401);
      const operator = await service.tokenOf('operator');
      const own = new SoftwareAuthenticator();
      expect((await add(own, operator)).status).toBe(201);
      const ofOperator = challengeOf(await choices('operator'), 'passkey');
      expect((await signIn({ passkey: authenticator.sign(ofOperator) })).status).toBe(401);
      expect((await signIn({ passkey: own.sign(ofOperator) }, 'operator')).status).toBe(200);
    });

    test('a copy of the passkey, whose count falls behind, is refused', async () => {
      authenticator.counter = 7;
      expect((await signInWith()).status).toBe(200);
      authenticator.counter = 4;
      expect((await signInWith()).status).toBe(401);
    });

    test('a challenge that makes a passkey signs nobody in, nor the other way round', async () => {
      expect((await signIn({ passkey: authenticator.sign(await begin()) })).status).toBe(401);
      const registration = new SoftwareAuthenticator().register(
        challengeOf(await choices(), 'passkey'),
      );
      expect(await post(path, { name: 'Key', registration })).toMatchObject({
        status: 422,
        json: { code: 'passkey_not_made' },
      });
    });

    test('asking what can be used neither counts as a wrong password nor clears those', async () => {
      for (let turn = 0; turn < 4; turn++)
        expect((await service.signIn('stan', 'wrong')).status).toBe(401);
      expect((await choices()).status).toBe(200);
      expect((await choices()).status).toBe(200);
      expect((await service.signIn('stan', 'wrong')).status).toBe(401);
      expect(await choices()).toMatchObject({ status: 429, json: { code: 'locked_out' } });
    });

    test('wrong signatures lock the second factor out like wrong codes', async () => {
      const asked = challengeOf(await choices(), 'passkey');
      const other = challengeOf(await choices(), 'passkey');
      for (let turn = 0; turn < 4; turn++)
        expect((await signIn({ otp: '000000' })).status).toBe(401);
      expect((await signIn({ passkey: new SoftwareAuthenticator().sign(other) })).status).toBe(401);
      expect(await signIn({ passkey: authenticator.sign(asked) })).toMatchObject({
        status: 429,
        json: { code: 'locked_out' },
      });
    });

    test('proves who one is, and renews the backup codes', async () => {
      const ask = async () => challengeOf(await post('/me/proof/secondfactor'), 'passkey');
      service.now += 11 * minute;
      expect(await post('/me/proof', { password })).toMatchObject({
        status: 422,
        json: { code: 'otp_required' },
      });
      expect(await post(`${path}/options`)).toMatchObject({
        status: 403,
        json: { code: 'reauthentication_required' },
      });
      expect(
        (await post('/me/proof', { password, passkey: authenticator.sign(await ask()) })).status,
      ).toBe(200);
      expect((await add(new SoftwareAuthenticator())).status).toBe(201);
      authenticator.counter++;
      const renewed = await post('/user/twofactor/backupcodes', {
        password,
        passkey: authenticator.sign(await ask()),
      });
      expect(renewed.json['backupCodes']).toHaveLength(10);
    });

    test('an app cannot be added beside it by who has the password alone', async () => {
      service.now += 11 * minute;
      expect(await post('/user/twofactor/secret')).toMatchObject({
        status: 403,
        json: { code: 'reauthentication_required' },
      });
    });

    test('an app beside it: each signs in, and one can be removed', async () => {
      const secret = fromBase32(String((await post('/user/twofactor/secret')).json['secret']));
      const code = () => totpOfStep(secret, stepAt(service.now));
      const enabled = await post('/user/twofactor', { password, otp: code() });
      expect(enabled.status).toBe(200);
      service.now += minute;
      expect((await choices()).json).toMatchObject({ app: true });
      expect((await signIn({ otp: code() })).status).toBe(200);
      expect((await signInWith()).status).toBe(200);
      const [{ id } = { id: 0 }] = (await list()).objList;
      expect((await service.ask('DELETE', `${path}/${id}`, { token: stan })).status).toBe(200);
      expect((await service.ask('GET', '/user/twofactor', { token: stan })).json).toMatchObject({
        enabled: true,
        backupCodesLeft: 10,
      });
      expect(await signIn()).toMatchObject({ status: 401, json: { code: 'otp_required' } });
    });

    test('removing the last one switches the second factor off, with its backup codes', async () => {
      const [{ id } = { id: 0 }] = (await list()).objList;
      const operator = await service.tokenOf('operator');
      expect((await service.ask('DELETE', `${path}/${id}`, { token: operator })).status).toBe(404);
      expect(await service.ask('DELETE', `${path}/${id}`, { token: stan })).toMatchObject({
        status: 200,
        json: { message: "The passkey 'Laptop' is removed." },
      });
      expect((await signIn()).status).toBe(200);
      expect((await service.ask('GET', '/user/twofactor', { token: stan })).json).toMatchObject({
        backupCodesLeft: 0,
      });
    });

    test('an administrator removes it for a person who lost it', async () => {
      const operator = await service.tokenOf('operator');
      const { id } = (await service.ask('GET', '/me', { token: stan })).json;
      expect(
        (await service.ask('DELETE', `/user/${String(id)}/twofactor`, { token: operator })).status,
      ).toBe(200);
      expect((await signIn()).status).toBe(200);
    });
  });

  test('where a second factor is required, a passkey is one, and the last stays', async () => {
    const operator = await service.tokenOf('operator');
    expect(
      (
        await service.ask('PUT', '/settings', {
          token: operator,
          body: { secondFactorRequired: 'everybody' },
        })
      ).status,
    ).toBe(200);
    service.now += 6_000;
    expect((await post('/windows/kb/search', {})).json['code']).toBe('must_set_up_second_factor');
    expect((await add()).status).toBe(201);
    expect((await post('/windows/kb/search', {})).status).toBe(200);
    const [{ id } = { id: 0 }] = (await list()).objList;
    expect(await service.ask('DELETE', `${path}/${id}`, { token: stan })).toMatchObject({
      status: 409,
      json: { code: 'second_factor_required' },
    });
    expect((await list()).totalCount).toBe(1);
    // From an identity provider, of whose people nothing is required: back to what the other tests begin with.
    await service.database.query('update sessions set by_provider = true');
    service.now += 6_000;
    expect(
      (
        await service.ask('PUT', '/settings', {
          token: operator,
          body: { secondFactorRequired: 'nobody' },
        })
      ).status,
    ).toBe(200);
  });

  test('what is no answer of an authenticator is refused, and so is one that is known', async () => {
    const registration = authenticator.register(await begin());
    const broken = {
      ...registration,
      response: { ...registration.response, attestationObject: 'AAAA' },
    };
    expect(await post(path, { name: 'Key', registration: broken })).toMatchObject({
      status: 422,
      json: { code: 'passkey_not_made' },
    });
    expect((await post(path, { name: 'Key', registration })).status).toBe(422);
    expect(
      (await post(path, { name: 'Key', registration: { ...registration, id: '***' } })).status,
    ).toBe(422);
    expect((await add()).status).toBe(201);
    const operator = await service.tokenOf('operator');
    expect(await add(authenticator, operator)).toMatchObject({
      status: 409,
      json: { code: 'passkey_known' },
    });
  });

  test('one person has at most ten', async () => {
    for (let count = 0; count < maxPasskeys; count++)
      expect((await add(new SoftwareAuthenticator())).status).toBe(201);
    expect(await post(`${path}/options`)).toMatchObject({
      status: 409,
      json: { code: 'too_many_passkeys' },
    });
  });

  test('an address that browsers accept no passkey for is told, and asks nobody for one', async () => {
    expect((await add()).status).toBe(201);
    const config = { ...appConfig, baseUrl: 'http://192.0.2.7:8080' };
    const other = await service.start({ config });
    const ask = (method: 'GET' | 'POST', to: string, body?: object) =>
      service.ask(method, to, { token: stan, of: other, ...(body && { body }) });
    expect((await ask('GET', path)).json['unavailable']).toBe(
      'Passkeys need a base URL with a host name; it has the IP address 192.0.2.7.',
    );
    expect(await ask('POST', `${path}/options`)).toMatchObject({
      status: 409,
      json: { code: 'passkeys_unavailable' },
    });
    expect((await ask('POST', '/me/proof/secondfactor')).json).toEqual({
      app: false,
      backupCodesLeft: 10,
      passkey: null,
    });
    await other.close();
  });
});
