import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { queryRows } from '../../platform/database/query-rows.ts';
import { secretBox } from '../../platform/secrets/secret-box.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { password } from '../../testing/factories.ts';
import { minute, withSignInApp } from '../sign-in/testing/sign-in-app.ts';
import { stepAt, totpOfStep } from '../two-factor/totp.ts';
import { keepNewSecret } from '../two-factor/two-factor-store.ts';
import {
  clientSecret,
  type ProviderForTests,
  redirectUri,
  startProvider,
} from './testing/identity-provider-for-tests.ts';

/** A port without a listener: one that browsers may use, and above the ephemeral ones. */
const nowhere = 'http://127.0.0.1:65431';

describeWithDatabase('single sign-on', (open) => {
  const service = withSignInApp(open);
  let provider: ProviderForTests;
  let operator: string;
  const jane = {
    sub: 'jane-1',
    email: 'Jane@Example.org',
    email_verified: true,
    preferred_username: 'jane',
    name: 'Second Operator',
  };

  beforeAll(async () => {
    provider = await startProvider();
  });
  afterAll(() => provider.stop());
  beforeEach(async () => {
    operator = await service.tokenOf('operator');
    provider.person = jane;
    provider.denies = false;
  });

  const config = () => ({
    enabled: true,
    label: 'Example',
    issuer: provider.issuer,
    clientId: 'patch',
    clientSecret: clientSecret as string | undefined,
    scopes: 'openid profile email',
    nameClaim: 'preferred_username',
    allowedDomains: [] as string[],
    createUsers: true,
    linkByEmail: true,
  });
  type Change = Partial<ReturnType<typeof config>>;
  const save = (change: Change = {}, token = operator) =>
    service.ask('POST', '/ssoconfig', { token, body: { ...config(), ...change } });

  /** Like a browser: requests a page, not a call. */
  async function browse(
    path: string,
    cookie = '',
    of = service.app,
  ): Promise<{ location: URL; cookie: string }> {
    const reply = await of.inject({
      method: 'GET',
      url: `/api${path}`,
      headers: { cookie, 'x-forwarded-for': '192.0.2.1' },
    });
    expect(reply.statusCode, reply.body).toBe(302);
    const set = String(reply.headers['set-cookie'] ?? '');
    return {
      location: new URL(String(reply.headers.location), 'https://patch.example.org'),
      cookie: set,
    };
  }
  const cookieOf = (set: string) => set.split(';', 1)[0] ?? '';

  /** Follows the redirects there and back: the browser's final address, and its cookie. */
  async function throughProvider(start = '/sso/start') {
    const { location, cookie } = await browse(start);
    const returned = await provider.signIn(location.href);
    const kept = cookieOf(cookie);
    return {
      ...(await browse(returned.pathname.replace('/api', '') + returned.search, kept)),
      returned,
      kept,
    };
  }
  const failureIn = ({ location }: { location: URL }) => location.searchParams.get('ssoError');

  const exchange = async (ticket: string | null, cookie: string, otp?: string) => {
    const payload = { username: 'sso', password: ticket, loginType: 'sso', otp };
    const reply = await service.app.inject({
      method: 'POST',
      url: '/api/authenticate',
      headers: { cookie, 'x-forwarded-for': '192.0.2.1' },
      payload,
    });
    return { status: reply.statusCode, json: reply.json<Record<string, unknown>>() };
  };
  const signIn = async () => {
    const { location, kept } = await throughProvider();
    expect(failureIn({ location })).toBeNull();
    return exchange(location.searchParams.get('sso'), kept);
  };
  const people = async () =>
    await queryRows(
      service.database,
      z.object({ name: z.string(), email: z.string(), user_type: z.string() }),
      'select name, email, user_type from users order by id',
    );

  /** The user that the last audit entry of a callback names. */
  const onRecord = async () => {
    const rows = await queryRows(
      service.database,
      z.object({ subject: z.string() }),
      "select subject from audit_entry where action = 'sso_callback' order by id desc limit 1",
    );
    return rows[0]?.subject;
  };

  describe('its configuration', () => {
    test('is stored with a sealed secret that is never returned', async () => {
      const read = async () => (await service.ask('GET', '/ssoconfig', { token: operator })).json;
      expect(await read()).toEqual({ config: null, redirectUri });
      const { clientSecret: _never, ...shown } = config();
      expect(await save()).toMatchObject({
        status: 200,
        json: { config: { ...shown, clientSecretSet: true } },
      });
      expect(await read()).toEqual({ config: { ...shown, clientSecretSet: true }, redirectUri });
      const { rows } = await service.database.query(
        "select value from settings where name = 'sso_config'",
      );
      expect(JSON.stringify(rows)).not.toContain(clientSecret);
      await save({ clientSecret: undefined, label: 'Other' });
      expect(await read()).toMatchObject({ config: { label: 'Other', clientSecretSet: true } });
      for (const change of [{ issuer: 'https://login.example.net' }, { clientId: 'in-body' }]) {
        expect(await save({ clientSecret: undefined, ...change })).toMatchObject({
          status: 422,
          json: { code: 'secret_needed' },
        });
        expect((await save(change)).status).toBe(200);
        expect((await save()).status).toBe(200);
      }
      await save({ clientSecret: '' });
      expect(await read()).toMatchObject({ config: { clientSecretSet: false } });
      expect((await save({ clientSecret: undefined, clientId: 'public' })).status).toBe(200);
    });

    test.each([
      [{ issuer: 'http://login.example.org' }, 'issuer must be the https address'],
      [
        { issuer: 'https://login.example.org/.well-known/openid-configuration' },
        'issuer must be the https address',
      ],
      [{ issuer: 'https://me:secret@login.example.org' }, 'issuer must be the https address'],
      [{ issuer: 'https://login.example.org/\0' }, 'issuer must be the https address'],
      [{ scopes: 'openid \0' }, 'scopes must be one line without control or invisible characters'],
      [{ label: 'half \ud800' }, 'label must be one line without control or invisible characters'],
      [{ scopes: 'profile email' }, "scopes must contain 'openid'"],
      [{ nameClaim: '' }, 'nameClaim must be the name of a claim'],
      [{ allowedDomains: ['@example.org'] }, 'allowedDomains.0 must be a domain'],
      [{ label: ' ' }, 'label is required'],
    ])('rejects %j with a message', async (change, words) => {
      const { status, json } = await save(change);
      expect(status).toBe(422);
      expect(json['userMessage']).toContain(words);
    });

    test('shows everyone whether it is enabled', async () => {
      const status = async () => (await service.ask('GET', '/sso/status')).json;
      expect(await status()).toEqual({ enabled: false, label: '' });
      await save({ enabled: false });
      expect(await status()).toEqual({ enabled: false, label: '' });
      expect(failureIn(await browse('/sso/start'))).toBe('off');
      await save();
      expect(await status()).toEqual({ enabled: true, label: 'Example' });
    });
  });

  describe('testing the configuration', () => {
    const tryIt = async (change: Change = {}) => {
      const { status, json } = await service.ask('POST', '/ssoconfig/test', {
        token: operator,
        body: { ...config(), ...change },
      });
      expect(status).toBe(200);
      const stages = json['stages'] as {
        stage: string;
        outcome: string;
        words: string;
        advice: string;
      }[];
      return {
        success: json['success'],
        stages,
        failed: stages.find(({ outcome }) => outcome === 'failed'),
      };
    };

    test('passes each stage of a correct one', async () => {
      const { success, stages } = await tryIt();
      expect(stages.map(({ stage, outcome }) => `${stage} ${outcome}`)).toEqual([
        'discovery passed',
        'abilities passed',
        'keys passed',
        'client passed',
      ]);
      expect(success).toBe(true);
      expect(stages.at(-1)?.words).toBe('It knows the client patch.');
    });

    test.each(['public', 'in-body'])('knows the client %s', async (clientId) => {
      const { stages } = await tryIt({
        clientId,
        clientSecret: clientId === 'public' ? '' : clientSecret,
      });
      expect(stages.at(-1)).toMatchObject({
        outcome: 'passed',
        words: `It knows the client ${clientId}.`,
      });
    });

    test.each([
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
        'Of its scopes choose some: openid',
      ],
      [
        { issuer: nowhere },
        'discovery',
        'It cannot be reached: the connection is refused.',
        'Check the issuer’s address',
      ],
      [
        { issuer: 'https://login.invalid' },
        'discovery',
        'It cannot be reached: its name',
        'Check the issuer’s address',
      ],
    ] as [Change, string, string, string][])(
      'says of %j what failed',
      async (change, stage, words, advice) => {
        const { success, failed } = await tryIt(change);
        expect(success).toBe(false);
        expect(failed).toMatchObject({
          stage,
          words: expect.stringContaining(words),
          advice: expect.stringContaining(advice),
        });
      },
    );

    test('reports that there is no provider at an address, and stops there', async () => {
      const { failed, stages } = await tryIt({ issuer: `${provider.issuer}/elsewhere` });
      expect(failed).toMatchObject({ stage: 'discovery', words: 'It responds with status 404.' });
      expect(stages.slice(1).map(({ outcome }) => outcome)).toEqual([
        'skipped',
        'skipped',
        'skipped',
      ]);
      const alias = await tryIt({ issuer: provider.issuer.replace('127.0.0.1', 'localhost') });
      expect(alias.failed?.advice).toContain('name the issuer exactly as it is entered here');
    });

    test('uses the stored secret only for the same provider and client', async () => {
      await save();
      expect((await tryIt({ clientSecret: undefined })).success).toBe(true);
      expect((await tryIt({ clientSecret: undefined, clientId: 'in-body' })).failed?.stage).toBe(
        'client',
      );
    });
  });

  describe('the redirect to the provider', () => {
    beforeEach(() => save());

    test('leads to the provider with PKCE, state and nonce, and keeps what it began in a sealed cookie', async () => {
      const { location, cookie } = await browse(
        '/sso/start?redirectFrom=%2Fpatch-repository%2Fsync',
      );
      expect(location.origin).toBe(provider.issuer);
      expect(Object.fromEntries(location.searchParams)).toEqual({
        client_id: 'patch',
        redirect_uri: redirectUri,
        scope: 'openid profile email',
        response_type: 'code',
        state: expect.stringMatching(/^[\w-]{43}$/),
        nonce: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge_method: 'S256',
      });
      expect(cookie).toMatch(
        /^patch_sso=v1\.[\w.-]+; Path=\/api; HttpOnly; SameSite=Lax; Max-Age=600; Secure$/,
      );
      for (const name of ['state', 'nonce'])
        expect(cookie).not.toContain(location.searchParams.get(name));
    });

    test('reports that the provider is unavailable', async () => {
      await save({ issuer: nowhere });
      expect(failureIn(await browse('/sso/start'))).toBe('unreachable');
    });
  });

  describe('the callback', () => {
    beforeEach(() => save());

    test('ends at the login page with a ticket, and at the page that was asked for; no token stands in an address', async () => {
      const { location, kept } = await throughProvider(
        '/sso/start?redirectFrom=%2Fpatch-repository%2Fsync',
      );
      expect(location.pathname).toBe('/login');
      expect(Object.fromEntries(location.searchParams)).toEqual({
        sso: expect.stringMatching(/^[\w-]{43}$/),
        redirectFrom: '/patch-repository/sync',
      });
      const { status, json } = await exchange(location.searchParams.get('sso'), kept);
      expect(status).toBe(200);
      expect(location.href).not.toContain(String(json['token']));
      expect(await service.me(String(json['token']))).toBe(200);
      expect(service.lines.join('')).not.toContain(location.searchParams.get('sso'));
    });

    test('a ticket works once, for a minute, in the browser that started', async () => {
      const one = await throughProvider();
      const ticket = one.location.searchParams.get('sso');
      const other = cookieOf((await browse('/sso/start')).cookie);
      for (const cookie of ['', other, 'patch_sso=v1.a.b.c'])
        expect(await exchange(ticket, cookie)).toMatchObject({
          status: 401,
          json: { code: 'sso_over' },
        });
      expect((await exchange('guessed', one.kept)).status).toBe(401);
      expect((await exchange(ticket, one.kept)).status).toBe(200);
      expect((await exchange(ticket, one.kept)).status).toBe(401);
      const late = await throughProvider();
      service.now += minute;
      expect((await exchange(late.location.searchParams.get('sso'), late.kept)).status).toBe(401);
    });

    test('another browser, a state that was made up, a second return and a late one end in words', async () => {
      const { location, cookie } = await browse('/sso/start');
      const { search } = await provider.signIn(location.href);
      const kept = cookieOf(cookie);
      expect(failureIn(await browse(`/sso/callback${search}`))).toBe('over');
      expect(
        failureIn(
          await browse(`/sso/callback${search}`, cookieOf((await browse('/sso/start')).cookie)),
        ),
      ).toBe('over');
      expect(
        failureIn(
          await browse(`/sso/callback${search.replace(/state=[\w-]+/, 'state=other')}`, kept),
        ),
      ).toBe('over');
      expect(failureIn(await browse('/sso/callback', kept))).toBe('over');
      service.now += 10 * minute;
      expect(failureIn(await browse(`/sso/callback${search}`, kept))).toBe('over');
      service.now -= 10 * minute;
      expect(failureIn(await browse(`/sso/callback${search}`, kept))).toBeNull();
      expect(failureIn(await browse(`/sso/callback${search}`, kept))).toBe('over');
    });

    test('accepts a state once, also when the provider reported an error the first time', async () => {
      const { location, cookie } = await browse('/sso/start');
      const state = location.searchParams.get('state');
      const kept = cookieOf(cookie);
      expect(
        failureIn(await browse(`/sso/callback?state=${state}&error=access_denied`, kept)),
      ).toBe('denied');
      const { search } = await provider.signIn(location.href);
      expect(failureIn(await browse(`/sso/callback${search}`, kept))).toBe('over');
      const both = await browse('/sso/start');
      const returned = await provider.signIn(both.location.href);
      const answers = await Promise.all(
        [1, 2].map(() => browse(`/sso/callback${returned.search}`, cookieOf(both.cookie))),
      );
      expect(
        answers
          .map((answer) => failureIn(answer) ?? 'signed in')
          .toSorted((a, b) => (a < b ? -1 : 1)),
      ).toEqual(['over', 'signed in']);
    });

    test('rejects a response of another provider (RFC 9207) and a forged code', async () => {
      const back = async (change: Record<string, string>) => {
        const { location, cookie } = await browse('/sso/start');
        const { searchParams } = await provider.signIn(location.href);
        return browse(
          `/sso/callback?${new URLSearchParams({ ...Object.fromEntries(searchParams), ...change }).toString()}`,
          cookieOf(cookie),
        );
      };
      expect(failureIn(await back({ iss: 'https://evil.example.org' }))).toBe('unproven');
      expect(failureIn(await back({ code: 'made-up' }))).toBe('unproven');
    });

    test('tells the user that they declined or were refused, and logs the provider’s words only', async () => {
      provider.denies = true;
      const { location } = await throughProvider();
      expect(Object.fromEntries(location.searchParams)).toEqual({ ssoError: 'denied' });
      expect(service.lines.join('')).toContain('They said no');
    });

    test('a wrong client secret is no secret to the log', async () => {
      await save({ clientSecret: 'wrong' });
      expect(failureIn(await throughProvider())).toBe('unproven');
      expect(service.lines.join('')).toContain('It does not recognise this service as its client.');
      expect(service.lines.join('')).not.toContain(clientSecret);
    });

    test('works without a secret, and with one in the body', async () => {
      await save({ clientId: 'public', clientSecret: '' });
      expect((await signIn()).status).toBe(200);
      await save({ clientId: 'in-body' });
      expect((await signIn()).status).toBe(200);
    });
  });

  describe('the user who signs in', () => {
    test('creates a Standard account for a new person, and reuses it even under another name', async () => {
      await save();
      const first = await signIn();
      expect(first).toMatchObject({
        status: 200,
        json: {
          user: {
            name: 'jane',
            email: 'Jane@Example.org',
            userType: 'Standard',
            mustChangePassword: false,
          },
        },
      });
      provider.person = {
        sub: 'jane-1',
        preferred_username: 'smith',
        email: 'smith@example.org',
        email_verified: true,
      };
      expect((await signIn()).json['user']).toEqual(first.json['user']);
      expect(await people()).toHaveLength(3);
      expect(await onRecord()).toBe('user jane');
      expect((await service.signIn('jane', '')).status).toBe(422);
      expect((await service.signIn('jane', 'jane')).status).toBe(401);
    });

    test.each([
      [{ preferred_username: 'stan' }, 'stan 2'],
      [{ preferred_username: 'jane@corp.example' }, 'jane'],
      [{ preferred_username: ' \n', name: 'Second Operator' }, 'Second Operator'],
      [{ preferred_username: 7, email: 'jd@example.org' }, 'jd'],
      [{}, 'user'],
    ])('%j is named %j', async (claims, name) => {
      await save();
      provider.person = { sub: 'no-name', ...claims };
      expect((await signIn()).json['user']).toMatchObject({ name, email: '' });
    });

    test('signs in to the existing account with the same verified address', async () => {
      await save({ createUsers: false });
      provider.person = { ...jane, email: 'OPERATOR@example.org' };
      expect(await signIn()).toMatchObject({
        status: 200,
        json: { user: { name: 'Operator', userType: 'Admin' } },
      });
      provider.person = { ...jane, email: 'operator@example.org', email_verified: false };
      expect((await signIn()).json['user']).toMatchObject({ name: 'Operator' });
      expect(await people()).toHaveLength(2);
      expect(await onRecord()).toBe('user Operator');
    });

    test('a person who was invited and signs in so is not asked for a password that nobody has', async () => {
      await save();
      await service.database.script(
        "update users set must_change_password = true where name = 'Stan'",
      );
      provider.person = { ...jane, email: 'stan@example.org' };
      const { json } = await signIn();
      expect(json['user']).toMatchObject({ name: 'Stan', mustChangePassword: false });
      expect(
        (await service.ask('GET', '/me/sessions', { token: String(json['token']) })).status,
      ).toBe(200);
      // Nor can anyone else use the one that they knew.
      expect((await service.signIn('stan')).status).toBe(401);
    });

    test.each([
      [{ email_verified: false }, {}, 'email'],
      [{ email_verified: undefined }, {}, 'email'],
      [{}, { linkByEmail: false }, 'taken'],
      [{ email: 'jane@example.org' }, { createUsers: false }, 'unknown'],
      [{ email: 'jane@example.net' }, { allowedDomains: ['example.org'] }, 'domain'],
      [{ email: 'jane@sub.example.org' }, { allowedDomains: ['example.org'] }, 'domain'],
      [
        { email: 'jane@example.org', email_verified: false },
        { allowedDomains: ['example.org'] },
        'email',
      ],
      [{ email: undefined }, { allowedDomains: ['example.org'] }, 'email'],
    ])('%j with %j is refused: %s', async (claims, rules, failure) => {
      await save(rules);
      provider.person = { ...jane, email: 'operator@example.org', ...claims };
      expect(failureIn(await throughProvider())).toBe(failure);
      expect(await people()).toHaveLength(2);
    });

    test('accepts an allowed domain, however it is written', async () => {
      await save({ allowedDomains: ['Example.ORG'] });
      expect((await signIn()).status).toBe(200);
    });

    test('creates one account for two concurrent first sign-ins', async () => {
      await save();
      const replies = await Promise.all([signIn(), signIn(), signIn()]);
      expect(new Set(replies.map(({ json }) => (json['user'] as { id: number }).id)).size).toBe(1);
      expect(await people()).toHaveLength(3);
    });

    test('gives a removed user a new account, if any', async () => {
      await save();
      await signIn();
      await service.database.query("delete from users where name = 'jane'");
      await save({ createUsers: false });
      expect(failureIn(await throughProvider())).toBe('unknown');
    });
  });

  test('requires another sign-in at the provider before creating an API key', async () => {
    await save();
    provider.person = { ...jane, email: 'stan@example.org' };
    const newKey = (token: unknown, name: string) =>
      service.ask('POST', '/me/apikeys', {
        token: String(token),
        body: { name, scopes: ['read'], expiresAt: service.now + minute },
      });
    const { token } = (await signIn()).json;
    expect(await newKey(token, 'One')).toMatchObject({
      status: 403,
      json: {
        code: 'reauthentication_required',
        userMessage: 'Confirm your identity first. Sign in with the identity provider again.',
      },
    });
    expect(
      await service.ask('POST', '/me/proof', { token: String(token), body: { password } }),
    ).toMatchObject({
      status: 409,
      json: { code: 'prove_at_provider' },
    });
    const { location, kept } = await throughProvider('/sso/start?fresh=true');
    expect(Object.fromEntries(provider.asked())).toMatchObject({ prompt: 'login', max_age: '0' });
    const fresh = (await exchange(location.searchParams.get('sso'), kept)).json;
    expect((await newKey(fresh['token'], 'One')).status).toBe(201);
    service.now += 11 * minute;
    expect((await newKey(fresh['token'], 'Two')).status).toBe(403);
  });

  test('rejects a provider that does not ask the person again', async () => {
    const before = service.now;
    await save();
    provider.person = { ...jane, email: 'stan@example.org' };
    // Ahead of the provider's clock: its sign-in time appears to be days ago.
    service.now = Date.now() + 3 * 24 * 60 * minute;
    try {
      expect(failureIn(await throughProvider('/sso/start?fresh=true'))).toBe('notFresh');
    } finally {
      service.now = before;
    }
  });

  test('asks for the local second factor, with enough time to find it', async () => {
    const box = secretBox(Buffer.alloc(32, 1));
    const app = await service.start({ box });
    const before = service.app;
    service.app = app;
    try {
      await save();
      provider.person = { ...jane, email: 'stan@example.org' };
      const { json } = await signIn();
      const { id } = json['user'] as { id: number };
      const secret = Buffer.alloc(20, 7);
      await keepNewSecret(service.database, id, box.seal(secret.toString('base64url')));
      await service.database.query('update two_factor set enabled_time = 0');
      const { location, kept } = await throughProvider();
      const ticket = location.searchParams.get('sso');
      expect(await exchange(ticket, kept)).toMatchObject({
        status: 401,
        json: { code: 'otp_required' },
      });
      service.now += 4 * minute;
      expect(await exchange(ticket, kept, '000000')).toMatchObject({
        status: 401,
        json: { code: 'otp_wrong' },
      });
      const otp = totpOfStep(secret, stepAt(service.now));
      expect((await exchange(ticket, kept, otp)).status).toBe(200);
      expect((await exchange(ticket, kept, otp)).status).toBe(401);
      const again = await throughProvider();
      const guesses = [];
      for (let turn = 0; turn < 6; turn++)
        guesses.push(
          (await exchange(again.location.searchParams.get('sso'), again.kept, '000000')).status,
        );
      expect(guesses).toEqual([401, 401, 401, 401, 401, 429]);
      expect(await service.signIn('stan', password)).toMatchObject({
        status: 401,
        json: { code: 'otp_required' },
      });
    } finally {
      service.app = before;
      await app.close();
    }
  });
});
