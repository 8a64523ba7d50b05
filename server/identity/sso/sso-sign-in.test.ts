import { beforeEach, describe, expect, test } from 'vitest';
import { password } from '../../testing/factories.ts';
import { day, describeApp, minute } from '../sign-in/testing/sign-in-app.ts';
import { stepAt, totpAtStep } from '../two-factor/totp.ts';
import { storeNewSecret } from '../two-factor/two-factor-store.ts';
import { clientSecret, redirectUri } from './testing/identity-provider-for-tests.ts';
import { jane, withSingleSignOn } from './testing/single-sign-on.ts';

const startWithPage = '/sso/start?redirectFrom=%2Fpatch-repository%2Fsync';
const random = expect.stringMatching(/^[\w-]{43}$/);

describeApp('single sign-on', (service) => {
  const sso = withSingleSignOn(service);
  const back = (search: string, cookie = '') => sso.browse(`/sso/callback${search}`, cookie);
  const failure = async (search: string, cookie = '') => (await back(search, cookie)).failure;
  const people = () => service.rows('select name, email, user_type from users order by id');
  /** Returns the user of the last audit entry of a callback. */
  const onRecord = async () =>
    (
      await service.rows(
        "select subject from audit_entry where action = 'sso_callback' order by id desc limit 1",
      )
    )[0]?.['subject'];
  beforeEach(async () => {
    await sso.save();
  });

  test('redirects to the provider with PKCE, state and nonce, and seals the attempt in a cookie', async () => {
    const { location, setCookie } = await sso.browse(startWithPage);
    expect(location.origin).toBe(sso.provider.issuer);
    expect(Object.fromEntries(location.searchParams)).toEqual({
      client_id: 'patch',
      redirect_uri: redirectUri,
      scope: 'openid profile email',
      response_type: 'code',
      state: random,
      nonce: random,
      code_challenge: random,
      code_challenge_method: 'S256',
    });
    expect(setCookie).toMatch(
      /^patch_sso=v1\.[\w.-]+; Path=\/api; HttpOnly; SameSite=Lax; Max-Age=600; Secure$/,
    );
    for (const name of ['state', 'nonce'])
      expect(setCookie).not.toContain(location.searchParams.get(name));
  });

  describe('the callback', () => {
    test('ends at the login page with a ticket and the requested page, and puts no token in an address', async () => {
      const page = await sso.throughProvider(startWithPage);
      const { location } = page;
      expect(location.pathname).toBe('/login');
      expect(Object.fromEntries(location.searchParams)).toEqual({
        sso: random,
        redirectFrom: '/patch-repository/sync',
      });
      const token = String((await sso.exchange(page).json)['token']);
      expect(location.href).not.toContain(token);
      expect(await service.me(token)).toBe(200);
      expect(service.lines.join('')).not.toContain(page.ticket);
    });

    test('issues a ticket that works once, for a minute, in the browser that started', async () => {
      const page = await sso.throughProvider();
      const { cookie: other } = await sso.browse();
      for (const cookie of ['', other, 'patch_sso=v1.a.b.c'])
        expect(await sso.exchange({ ...page, cookie }).outcome).toBe('401 sso_over');
      expect(await sso.exchange({ ...page, ticket: 'guessed' }).status).toBe(401);
      expect(await sso.exchange(page).status).toBe(200);
      expect(await sso.exchange(page).status).toBe(401);
      const late = await sso.throughProvider();
      service.now += minute;
      expect(await sso.exchange(late).status).toBe(401);
    });

    test('explains a refused return: another browser, an invented state, a second or late return', async () => {
      const { location, cookie } = await sso.browse();
      const { search } = await sso.provider.signIn(location.href);
      const { cookie: other } = await sso.browse();
      expect(await failure(search)).toBe('over');
      expect(await failure(search, other)).toBe('over');
      expect(await failure(search.replace(/state=[\w-]+/, 'state=other'), cookie)).toBe('over');
      expect(await failure('', cookie)).toBe('over');
      service.now += 10 * minute;
      expect(await failure(search, cookie)).toBe('over');
      service.now -= 10 * minute;
      expect(await failure(search, cookie)).toBeNull();
      expect(await failure(search, cookie)).toBe('over');
    });

    test('accepts a state once, also when the provider reported an error the first time', async () => {
      const { location, cookie } = await sso.browse();
      const state = location.searchParams.get('state');
      expect(await failure(`?state=${state}&error=access_denied`, cookie)).toBe('denied');
      const { search } = await sso.provider.signIn(location.href);
      expect(await failure(search, cookie)).toBe('over');
      const both = await sso.browse();
      const returned = await sso.provider.signIn(both.location.href);
      const answers = await Promise.all(
        [1, 2].map(async () => (await failure(returned.search, both.cookie)) ?? 'signed in'),
      );
      expect(new Set(answers)).toEqual(new Set(['over', 'signed in']));
    });

    test.each([
      ['iss', 'https://evil.example.org'],
      ['code', 'made-up'],
    ])('rejects a response with another %s (RFC 9207)', async (name, value) => {
      const { location, cookie } = await sso.browse();
      const { searchParams } = await sso.provider.signIn(location.href);
      searchParams.set(name, value);
      expect(await failure(`?${searchParams.toString()}`, cookie)).toBe('unproven');
    });

    test('tells the user that they declined or were refused, and logs the provider’s words only', async () => {
      sso.provider.denies = true;
      const { location } = await sso.throughProvider();
      expect(Object.fromEntries(location.searchParams)).toEqual({ ssoError: 'denied' });
      expect(service.lines.join('')).toContain('They said no');
    });

    test('logs no client secret when it is wrong', async () => {
      await sso.save({ clientSecret: 'wrong' });
      expect((await sso.throughProvider()).failure).toBe('unproven');
      expect(service.lines.join('')).toContain('It does not recognise this service as its client.');
      expect(service.lines.join('')).not.toContain(clientSecret);
    });

    test('works without a secret, and with one in the body', async () => {
      for (const change of [{ clientId: 'public', clientSecret: '' }, { clientId: 'in-body' }]) {
        await sso.save(change);
        expect((await sso.signIn()).status).toBe(200);
      }
    });
  });

  describe('the user who signs in', () => {
    test('creates a Standard account for a new person, and reuses it even under another name', async () => {
      const { json } = await sso.signIn();
      const user = { name: 'jane', email: 'Jane@Example.org', userType: 'Standard' };
      expect(json['user']).toMatchObject({ ...user, mustChangePassword: false });
      const other = { preferred_username: 'smith', email: 'smith@example.org' };
      sso.provider.person = { ...jane, ...other };
      expect((await sso.signIn()).json['user']).toEqual(json['user']);
      expect(await people()).toHaveLength(3);
      expect(await onRecord()).toBe('user jane');
      expect(await service.signIn('jane', '').status).toBe(422);
      expect(await service.signIn('jane', 'jane').status).toBe(401);
    });

    test.each([
      [{ preferred_username: 'stan' }, 'stan 2'],
      [{ preferred_username: 'jane@corp.example' }, 'jane'],
      [{ preferred_username: ' \n', name: 'Second Operator' }, 'Second Operator'],
      [{ preferred_username: 7, email: 'jd@example.org' }, 'jd'],
      [{}, 'user'],
    ])('gets from %j the name %j', async (claims, name) => {
      sso.provider.person = { sub: 'no-name', ...claims };
      expect((await sso.signIn()).json['user']).toMatchObject({ name, email: '' });
    });

    test('signs in to the existing account with the same verified address', async () => {
      await sso.save({ createUsers: false });
      for (const person of [
        { ...jane, email: 'OPERATOR@example.org' },
        { ...jane, email: 'operator@example.org', email_verified: false },
      ]) {
        sso.provider.person = person;
        const { user } = (await sso.signIn()).json;
        expect(user).toMatchObject({ name: 'Operator', userType: 'Admin' });
      }
      expect(await people()).toHaveLength(2);
      expect(await onRecord()).toBe('user Operator');
    });

    test('does not ask an invited person for a password that nobody has', async () => {
      await service.database.script(
        "update users set must_change_password = true where name = 'Stan'",
      );
      sso.provider.person = { ...jane, email: 'stan@example.org' };
      const { token, user } = (await sso.signIn()).json;
      expect(user).toMatchObject({ name: 'Stan', mustChangePassword: false });
      expect(await service.as(token).get('/me/sessions').status).toBe(200);
      // The former password is invalid for everyone else too.
      expect(await service.signIn('stan').status).toBe(401);
    });

    const own = { allowedDomains: ['example.org'] };
    test.each([
      [{ email_verified: false }, {}, 'email'],
      [{ email_verified: undefined }, {}, 'email'],
      [{}, { linkByEmail: false }, 'taken'],
      [{ email: 'jane@example.org' }, { createUsers: false }, 'unknown'],
      [{ email: 'jane@example.net' }, own, 'domain'],
      [{ email: 'jane@sub.example.org' }, own, 'domain'],
      [{ email: 'jane@example.org', email_verified: false }, own, 'email'],
      [{ email: undefined }, own, 'email'],
    ])('is refused for %j with %j: %s', async (claims, rules, words) => {
      await sso.save(rules);
      sso.provider.person = { ...jane, email: 'operator@example.org', ...claims };
      expect((await sso.throughProvider()).failure).toBe(words);
      expect(await people()).toHaveLength(2);
    });

    test('accepts an allowed domain, however it is written', async () => {
      await sso.save({ allowedDomains: ['Example.ORG'] });
      expect((await sso.signIn()).status).toBe(200);
    });

    test('creates one account for two concurrent first sign-ins', async () => {
      const replies = await Promise.all([sso.signIn(), sso.signIn(), sso.signIn()]);
      expect(new Set(replies.map(({ json }) => (json['user'] as { id: number }).id)).size).toBe(1);
      expect(await people()).toHaveLength(3);
    });

    test('gives a removed user a new account, if any', async () => {
      await sso.signIn();
      await service.database.query("delete from users where name = 'jane'");
      await sso.save({ createUsers: false });
      expect((await sso.throughProvider()).failure).toBe('unknown');
    });
  });

  test('requires another sign-in at the provider before creating an API key', async () => {
    sso.provider.person = { ...jane, email: 'stan@example.org' };
    const newKey = (token: unknown, name: string) =>
      service
        .as(token)
        .post('/me/apikeys', { name, scopes: ['read'], expiresAt: service.now + minute });
    const { token } = (await sso.signIn()).json;
    const refused = newKey(token, 'One');
    expect(await refused.outcome).toBe('403 reauthentication_required');
    expect((await refused.refusal)[1]).toBe(
      'Confirm your identity first. Sign in with the identity provider again.',
    );
    const proof = service.as(token).post('/me/proof', { password });
    expect(await proof.outcome).toBe('409 prove_at_provider');
    const page = await sso.throughProvider('/sso/start?fresh=true');
    const request = Object.fromEntries(sso.provider.lastRequest());
    expect(request).toMatchObject({ prompt: 'login', max_age: '0' });
    const fresh = (await sso.exchange(page).json)['token'];
    expect(await newKey(fresh, 'One').status).toBe(201);
    service.now += 11 * minute;
    expect(await newKey(fresh, 'Two').status).toBe(403);
  });

  test('rejects a provider that does not ask the person again', async () => {
    const before = service.now;
    // Ahead of the provider's clock: its sign-in time appears to be days ago.
    service.now = Date.now() + 3 * day;
    const { failure: words } = await sso.throughProvider('/sso/start?fresh=true');
    service.now = before;
    expect(words).toBe('notFresh');
  });

  test('asks for the local second factor, with enough time to find it', async () => {
    sso.provider.person = { ...jane, email: 'stan@example.org' };
    const { id } = (await sso.signIn()).json['user'] as { id: number };
    const secret = Buffer.alloc(20, 7);
    const sealed = service.box.seal(secret.toString('base64url'));
    await storeNewSecret(service.database, id, sealed);
    await service.database.query('update two_factor set enabled_time = 0');
    const page = await sso.throughProvider();
    expect(await sso.exchange(page).outcome).toBe('401 otp_required');
    service.now += 4 * minute;
    expect(await sso.exchange(page, '000000').outcome).toBe('401 otp_wrong');
    const otp = totpAtStep(secret, stepAt(service.now));
    expect(await sso.exchange(page, otp).status).toBe(200);
    expect(await sso.exchange(page, otp).status).toBe(401);
    const again = await sso.throughProvider();
    const guesses = [];
    for (let turn = 0; turn < 6; turn++) guesses.push(await sso.exchange(again, '000000').status);
    expect(guesses).toEqual([401, 401, 401, 401, 401, 429]);
    expect(await service.signIn('stan', password).outcome).toBe('401 otp_required');
  });
});
