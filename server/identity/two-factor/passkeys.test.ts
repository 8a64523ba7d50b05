import { maxPasskeys } from '@patch/contract/accounts/passkey-endpoints.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Caller, Reply } from '../../testing/caller.ts';
import { appConfig, password } from '../../testing/factories.ts';
import { describeApp, minute } from '../sign-in/testing/sign-in-app.ts';
import { fromBase32 } from './testing/from-base32.ts';
import { SoftwareAuthenticator } from './testing/software-authenticator.ts';
import { stepAt, totpAtStep } from './totp.ts';

const path = '/user/twofactor/passkeys';

describeApp('passkeys', (service) => {
  let stan: Caller;
  let authenticator: SoftwareAuthenticator;
  beforeEach(async () => {
    authenticator = new SoftwareAuthenticator();
    stan = service.as(await service.createToken('stan'));
  });

  const readChallenge = async (reply: Reply, name: 'options' | 'passkey') => {
    const { status, json } = await reply;
    expect(status, JSON.stringify(json)).toBe(200);
    return json[name] as { challenge: string };
  };
  const registered = async (own = authenticator, by = stan) =>
    own.register(await readChallenge(by.post(`${path}/options`), 'options'));
  const post = (registration: object, by = stan) => by.post(path, { name: 'Laptop', registration });
  const add = async (own = authenticator, by = stan) => post(await registered(own, by), by);
  const firstId = async () => Number((await stan.get(path).list)[0]?.['id']);
  const remove = async (by = stan) => by.delete(`${path}/${await firstId()}`);
  const choices = (username = 'stan', typed = password) =>
    service.anyone.post('/authenticate/secondfactor', { username, password: typed });
  const challenge = (username = 'stan') => readChallenge(choices(username), 'passkey');
  const signIn = (more: object = {}, username = 'stan') =>
    service.anyone.post('/authenticate', { username, password, ...more });
  const signInWith = async (own = authenticator) => {
    const options = await challenge();
    own.counter++;
    return signIn({ passkey: own.sign(options) }).outcome;
  };

  test('enable the second factor and return backup codes with the first one', async () => {
    expect(await stan.get(path).json).toEqual({ objList: [], totalCount: 0, unavailable: null });
    const { status, json } = await add();
    const passkey = { name: 'Laptop', host: 'patch.example.org', lastUsedAt: null };
    expect([status, json['passkey']]).toMatchObject([201, { ...passkey, createdAt: service.now }]);
    const backupCodes = json['backupCodes'] as string[];
    expect(backupCodes).toHaveLength(10);
    expect(await signIn().outcome).toBe('401 otp_required');
    expect((await add(new SoftwareAuthenticator())).json['backupCodes']).toBeNull();
    expect(await stan.get(path).list).toHaveLength(2);
    expect(await signIn({ otp: backupCodes[0] }).status).toBe(200);
    expect(await signIn({ otp: '000000' }).outcome).toBe('401 otp_wrong');
  });

  describe('signing in', () => {
    beforeEach(async () => {
      await add();
    });

    test('asks for the password first, then for the passkey', async () => {
      expect(await choices('stan', 'wrong').outcome).toBe('401 wrong_credentials');
      expect(await choices('unknown').outcome).toBe('401 wrong_credentials');
      const id = authenticator.credentialId.toString('base64url');
      expect(await choices().json).toMatchObject({
        app: false,
        backupCodesLeft: 10,
        passkey: {
          rpId: 'patch.example.org',
          allowCredentials: [{ id, type: 'public-key', transports: ['internal'] }],
        },
      });
      expect(await signInWith()).toBe('200');
      expect(await stan.get(path).list).toMatchObject([{ lastUsedAt: service.now }]);
    });

    test('accepts a signature once, and not after five minutes', async () => {
      const passkey = authenticator.sign(await challenge());
      expect(await signIn({ passkey }).status).toBe(200);
      expect(await signIn({ passkey }).outcome).toBe('401 otp_wrong');
      const late = authenticator.sign(await challenge());
      service.now += 5 * minute;
      expect(await signIn({ passkey: late }).status).toBe(401);
    });

    test('admits one of many concurrent sign-ins with one signature', async () => {
      const passkey = authenticator.sign(await challenge());
      const statuses = await Promise.all([1, 2, 3, 4].map(() => signIn({ passkey }).status));
      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 401, 401, 401]);
    });

    test.each<[string, Partial<SoftwareAuthenticator>]>([
      ['another page of the same host', { origin: 'http://patch.example.org' }],
      ['a page that looks alike', { origin: 'https://patch.example.com' }],
      ['an authenticator that is bound to another host', { host: 'example.org' }],
    ])('refuses a signature for %s', async (_, change) => {
      Object.assign(authenticator, change);
      expect(await signInWith()).toBe('401 otp_wrong');
    });

    test('refuses another key, another credential and the challenge of another person', async () => {
      const options = await challenge();
      const stranger = new SoftwareAuthenticator();
      const id = authenticator.credentialId.toString('base64url');
      expect(await signIn({ passkey: stranger.sign(options) }).status).toBe(401);
      expect(await signIn({ passkey: { ...stranger.sign(options), id } }).status).toBe(401);
      const own = new SoftwareAuthenticator();
      expect((await add(own, service.operator)).status).toBe(201);
      const ofOperator = await challenge('operator');
      expect(await signIn({ passkey: authenticator.sign(ofOperator) }).status).toBe(401);
      expect(await signIn({ passkey: own.sign(ofOperator) }, 'operator').status).toBe(200);
    });

    test('refuses a copy of the passkey, whose count falls behind', async () => {
      authenticator.counter = 7;
      expect(await signInWith()).toBe('200');
      authenticator.counter = 4;
      expect(await signInWith()).toBe('401 otp_wrong');
    });

    test('accepts no registration challenge for a sign-in, nor the other way round', async () => {
      const toRegister = await readChallenge(stan.post(`${path}/options`), 'options');
      expect(await signIn({ passkey: authenticator.sign(toRegister) }).status).toBe(401);
      const registration = new SoftwareAuthenticator().register(await challenge());
      expect(await post(registration).outcome).toBe('422 passkey_not_made');
    });

    test('lists the factors without counting or clearing wrong passwords', async () => {
      const fail = () => service.signIn('stan', 'wrong').status;
      for (let turn = 0; turn < 4; turn++) expect(await fail()).toBe(401);
      expect([await choices().status, await choices().status, await fail()]).toEqual([
        200, 200, 401,
      ]);
      expect(await choices().outcome).toBe('429 locked_out');
    });

    test('locks the second factor after wrong signatures, as after wrong codes', async () => {
      const [options, other] = [await challenge(), await challenge()];
      for (let turn = 0; turn < 4; turn++) expect(await signIn({ otp: '000000' }).status).toBe(401);
      expect(await signIn({ passkey: new SoftwareAuthenticator().sign(other) }).status).toBe(401);
      const right = signIn({ passkey: authenticator.sign(options) });
      expect(await right.outcome).toBe('429 locked_out');
    });

    test("proves one's identity, renews the backup codes, and allows an app to be added", async () => {
      const proven = async () =>
        authenticator.sign(await readChallenge(stan.post('/me/proof/secondfactor'), 'passkey'));
      service.now += 11 * minute;
      const unproven = '403 reauthentication_required';
      expect(await stan.post('/me/proof', { password }).outcome).toBe('422 otp_required');
      expect(await stan.post(`${path}/options`).outcome).toBe(unproven);
      expect(await stan.post('/user/twofactor/secret').outcome).toBe(unproven);
      const passkey = await proven();
      expect(await stan.post('/me/proof', { password, passkey }).status).toBe(200);
      expect((await add(new SoftwareAuthenticator())).status).toBe(201);
      authenticator.counter++;
      const again = { password, passkey: await proven() };
      const { backupCodes } = await stan.post('/user/twofactor/backupcodes', again).json;
      expect(backupCodes).toHaveLength(10);
    });

    test('works beside an app: each signs in, and one can be removed', async () => {
      const { secret } = await stan.post('/user/twofactor/secret').json;
      const otp = () => totpAtStep(fromBase32(String(secret)), stepAt(service.now));
      expect(await stan.post('/user/twofactor', { password, otp: otp() }).status).toBe(200);
      service.now += minute;
      expect(await choices().json).toMatchObject({ app: true });
      expect(await signIn({ otp: otp() }).status).toBe(200);
      expect(await signInWith()).toBe('200');
      expect((await remove()).status).toBe(200);
      const left = { enabled: true, backupCodesLeft: 10 };
      expect(await stan.get('/user/twofactor').json).toMatchObject(left);
      expect(await signIn().outcome).toBe('401 otp_required');
    });

    test('disables the second factor and its backup codes with the last passkey', async () => {
      expect((await remove(service.operator)).status).toBe(404);
      expect((await remove()).json).toEqual({ message: "The passkey 'Laptop' has been removed." });
      expect(await signIn().status).toBe(200);
      expect(await stan.get('/user/twofactor').json).toMatchObject({ backupCodesLeft: 0 });
    });

    test('lets an administrator remove the passkeys of a person who lost them', async () => {
      const { id } = await stan.get('/me').json;
      expect(await service.operator.delete(`/user/${String(id)}/twofactor`).status).toBe(200);
      expect(await signIn().status).toBe(200);
    });
  });

  test('satisfy a required second factor, and the last cannot be removed', async () => {
    const operator = service.as(await service.createToken('operator'));
    const setRequirement = async (secondFactorRequired: string) =>
      expect(await operator.put('/settings', { secondFactorRequired }).status).toBe(200);
    const search = () => stan.post('/windows/kb/search', {}).outcome;
    await setRequirement('everybody');
    service.now += 6_000;
    expect(await search()).toBe('403 must_set_up_second_factor');
    expect((await add()).status).toBe(201);
    expect(await search()).toBe('200');
    expect((await remove()).json).toMatchObject({ code: 'second_factor_required' });
    expect(await stan.get(path).list).toHaveLength(1);
    // Restores what other tests expect, by a session of an identity provider, for which nothing is required.
    await service.database.query('update sessions set by_provider = true');
    service.now += 6_000;
    await setRequirement('nobody');
  });

  test('refuse an invalid registration and a known credential', async () => {
    const registration = await registered();
    const response = { ...registration.response, attestationObject: 'AAAA' };
    expect(await post({ ...registration, response }).outcome).toBe('422 passkey_not_made');
    expect(await post(registration).status).toBe(422);
    expect(await post({ ...registration, id: '***' }).status).toBe(422);
    expect((await add()).status).toBe(201);
    const { status, json } = await add(authenticator, service.operator);
    expect([status, json['code']]).toEqual([409, 'passkey_known']);
  });

  test('are limited to ten per person', async () => {
    for (let count = 0; count < maxPasskeys; count++)
      expect((await add(new SoftwareAuthenticator())).status).toBe(201);
    expect(await stan.post(`${path}/options`).outcome).toBe('409 too_many_passkeys');
  });

  test('report an address for which browsers accept no passkeys, and are not requested there', async () => {
    expect((await add()).status).toBe(201);
    const config = { ...appConfig, baseUrl: 'http://192.0.2.7:8080' };
    const app = await service.start({ config });
    const at = stan.at(app);
    expect(await at.get(path).json).toMatchObject({
      unavailable: 'Passkeys need a base URL with a host name; it has the IP address 192.0.2.7.',
    });
    expect(await at.post(`${path}/options`).outcome).toBe('409 passkeys_unavailable');
    const others = { app: false, backupCodesLeft: 10, passkey: null };
    expect(await at.post('/me/proof/secondfactor').json).toEqual(others);
    await app.close();
  });
});
