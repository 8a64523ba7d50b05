import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { secretBox } from '../../platform/secrets/secret-box.ts';
import { describeApp } from '../sign-in/testing/sign-in-app.ts';
import { clientSecret, redirectUri } from './testing/identity-provider-for-tests.ts';
import { type ConfigChange, withSingleSignOn } from './testing/single-sign-on.ts';

/** A port without a listener: one that browsers may use, and above the ephemeral ones. */
const nowhere = 'http://127.0.0.1:65431';

describeApp('single sign-on configuration', (service) => {
  const sso = withSingleSignOn(service);
  const { operator } = service;

  test('is stored with a sealed secret that is never returned', async () => {
    const read = () => operator.get('/ssoconfig').json;
    expect(await read()).toEqual({ config: null, redirectUri });
    const { clientSecret: _never, ...shown } = sso.config();
    const config = { ...shown, clientSecretSet: true };
    expect(await sso.save().json).toMatchObject({ config });
    expect(await read()).toEqual({ config, redirectUri });
    const rows = await service.rows("select value from settings where name = 'sso_config'");
    expect(JSON.stringify(rows)).not.toContain(clientSecret);
    await sso.save({ clientSecret: undefined, label: 'Other' });
    expect(await read()).toMatchObject({ config: { label: 'Other', clientSecretSet: true } });
    for (const change of [{ issuer: 'https://login.example.net' }, { clientId: 'in-body' }]) {
      const unsaid = sso.save({ clientSecret: undefined, ...change });
      expect(await unsaid.outcome).toBe('422 secret_needed');
      expect(await sso.save(change).status).toBe(200);
      expect(await sso.save().status).toBe(200);
    }
    await sso.save({ clientSecret: '' });
    expect(await read()).toMatchObject({ config: { clientSecretSet: false } });
    expect(await sso.save({ clientSecret: undefined, clientId: 'public' }).status).toBe(200);
  });

  const noIssuer = 'issuer must be the https address';
  test.each([
    [{ issuer: 'http://login.example.org' }, noIssuer],
    [{ issuer: 'https://login.example.org/.well-known/openid-configuration' }, noIssuer],
    [{ issuer: 'https://me:secret@login.example.org' }, noIssuer],
    [{ scopes: 'profile email' }, "scopes must contain 'openid'"],
    [{ nameClaim: '' }, 'nameClaim must be the name of a claim'],
    [{ allowedDomains: ['@example.org'] }, 'allowedDomains.0 must be a domain'],
    [{ label: ' ' }, 'label is required'],
  ])('rejects %j with a message', async (change, words) => {
    expect(await sso.save(change).refusal).toEqual([422, expect.stringContaining(words)]);
  });

  test('shows everyone whether it is enabled', async () => {
    const status = () => service.anyone.get('/sso/status').json;
    expect(await status()).toEqual({ enabled: false, label: '' });
    await sso.save({ enabled: false });
    expect(await status()).toEqual({ enabled: false, label: '' });
    expect((await sso.browse()).failure).toBe('off');
    await sso.save();
    expect(await status()).toEqual({ enabled: true, label: 'Example' });
  });

  describe('test of the configuration', () => {
    type Stage = Readonly<Record<'stage' | 'outcome' | 'words' | 'advice', string>>;
    const tryIt = async (change: ConfigChange = {}) => {
      const body = { ...sso.config(), ...change };
      const { status, json } = await operator.post('/ssoconfig/test', body);
      expect(status).toBe(200);
      const stages = json['stages'] as Stage[];
      const failed = stages.find(({ outcome }) => outcome === 'failed');
      return { success: json['success'], stages, failed };
    };
    const passed = ['discovery passed', 'abilities passed', 'keys passed', 'client passed'];

    test.each(['patch', 'public', 'in-body'])('recognizes the client %s', async (clientId) => {
      const secret = clientId === 'public' ? '' : clientSecret;
      const { success, stages } = await tryIt({ clientId, clientSecret: secret });
      expect(stages.map(({ stage, outcome }) => `${stage} ${outcome}`)).toEqual(passed);
      expect([success, stages.at(-1)?.words]).toEqual([true, `It knows the client ${clientId}.`]);
    });

    const checkAddress = 'Check the issuer’s address';
    test.each<[ConfigChange, string, string, string]>([
      [
        { clientSecret: 'wrong' },
        'client',
        'It does not recognise patch as its client.',
        'Check client id and client secret',
      ],
      [
        { clientId: 'nobody' },
        'client',
        'It does not recognise nobody',
        'is registered there as the address to return to',
      ],
      [
        { scopes: 'openid groups' },
        'abilities',
        'It does not know the scope groups.',
        'Choose from its scopes: openid',
      ],
      [
        { issuer: nowhere },
        'discovery',
        'It cannot be reached: the connection is refused.',
        checkAddress,
      ],
      [
        { issuer: 'https://login.invalid' },
        'discovery',
        'It cannot be reached: its name',
        checkAddress,
      ],
    ])('reports the failure of %j', async (change, stage, words, advice) => {
      const { success, failed } = await tryIt(change);
      expect([success, failed?.stage]).toEqual([false, stage]);
      expect(failed?.words).toContain(words);
      expect(failed?.advice).toContain(advice);
    });

    test('reports that no provider exists at an address, and stops there', async () => {
      const { issuer } = sso.provider;
      const { failed, stages } = await tryIt({ issuer: `${issuer}/elsewhere` });
      expect(failed).toMatchObject({ stage: 'discovery', words: 'It responds with status 404.' });
      const others = stages.slice(1).map(({ outcome }) => outcome);
      expect(others).toEqual(['skipped', 'skipped', 'skipped']);
      const alias = await tryIt({ issuer: issuer.replace('127.0.0.1', 'localhost') });
      expect(alias.failed?.advice).toContain('name the issuer exactly as it is entered here');
    });

    test('fails at the client while the stored secret cannot be read', async () => {
      await sso.save();
      const sealed = secretBox(randomBytes(32)).seal(clientSecret);
      await service.rows(
        "update settings set value = value || jsonb_build_object('sealedSecret', $1::text) where name = 'sso_config'",
        [sealed],
      );
      const { success, failed } = await tryIt({ clientSecret: undefined });
      expect(success).toBe(false);
      expect(failed).toMatchObject({
        stage: 'client',
        words: 'The client secret cannot be read: the secret key has changed.',
        advice: 'Enter it in the single sign-on configuration again.',
      });
    });

    test('uses the stored secret only for the same provider and client', async () => {
      await sso.save();
      expect((await tryIt({ clientSecret: undefined })).success).toBe(true);
      const other = await tryIt({ clientSecret: undefined, clientId: 'in-body' });
      expect(other.failed?.stage).toBe('client');
    });
  });

  test('shows an unreachable provider to the person who signs in', async () => {
    await sso.save({ issuer: nowhere });
    expect((await sso.browse()).failure).toBe('unreachable');
  });
});
