import { defaultSettings } from '@patch/contract/settings-endpoints.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { minute, withSignInApp } from '../../identity/sign-in/testing/sign-in-app.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { password } from '../../testing/factories.ts';
import { NotificationListener } from '../database/notifications.ts';
import { readSettings } from './settings-store.ts';

describeWithDatabase('settings', (open) => {
  let databaseUrl = '';
  const service = withSignInApp(async () => {
    const database = await open();
    databaseUrl = database.url;
    return database;
  });
  const admin = () => service.createToken('operator');
  const withoutOverrides = {
    trustProxy: 'loopback',
    mailTargets: ['localhost'],
    checkReplies: true,
    databaseUrl: null,
    baseUrl: null,
    sessionIdleMinutes: null,
    sessionMaxHours: null,
    feedMirror: null,
  } as const;
  const others: { close(): Promise<unknown> }[] = [];
  const other = async () => {
    const app = await service.start({ config: withoutOverrides });
    others.push(app);
    return app;
  };
  afterEach(async () => {
    for (const app of others.splice(0)) await app.close();
  });

  describe('settings', () => {
    test('returns defaults until settings are saved', async () => {
      const of = await other();
      const token = await admin();
      expect((await service.ask('GET', '/settings', { token, of })).json).toEqual({
        settings: defaultSettings,
        fixed: {},
      });
    });

    test('saves the given settings and leaves the others unchanged', async () => {
      const of = await other();
      const token = await admin();
      await service.ask('PUT', '/settings', {
        token,
        of,
        body: { name: 'Patches of Acme', timeZone: 'Europe/Istanbul' },
      });
      const { json } = await service.ask('PUT', '/settings', {
        token,
        of,
        body: { baseUrl: 'https://patch.acme.example/', runsKept: 50 },
      });
      const now = {
        ...defaultSettings,
        name: 'Patches of Acme',
        timeZone: 'Europe/Istanbul',
        baseUrl: 'https://patch.acme.example',
        runsKept: 50,
      };
      expect(json).toEqual({ settings: now, fixed: {} });
      expect(await readSettings(service.database)).toEqual(now);
      expect((await service.ask('GET', '/about', { of })).json).toEqual({
        name: 'Patches of Acme',
        timeZone: 'Europe/Istanbul',
        sendsMail: false,
      });
    });

    test('applies a change by another process as soon as it is committed', async () => {
      const notifications = new NotificationListener({ url: databaseUrl });
      const of = await other();
      const app = await service.start({ config: withoutOverrides, notifications });
      others.push(app, notifications);
      const body = { name: 'Patches of Acme' };
      await service.ask('PUT', '/settings', { token: await admin(), of, body });
      await expect
        .poll(async () => (await service.ask('GET', '/about', { of: app })).json)
        .toMatchObject(body);
    });

    test.each([
      [{ name: ' ' }, 'name is required'],
      [{ name: 'two\nlines' }, 'name must be one line'],
      [{ name: 'half \ud800' }, 'name must be one line'],
      [
        { nmae: 'Patches of Acme' },
        "The body has an unknown name 'nmae'; allowed are: name, baseUrl",
      ],
      [{ baseUrl: 'https://acme.example/?a=b' }, 'baseUrl must not contain spaces, ? or #'],
      [{ baseUrl: 'https://acme.example/a b' }, 'baseUrl must not contain spaces, ? or #'],
      [{ baseUrl: 'https://acme.example/\0' }, 'baseUrl must not contain spaces, ? or #'],
      [
        { baseUrl: 'ftp://acme.example' },
        'baseUrl must be an http(s) address such as https://patch.example.org',
      ],
      [
        { feedMirror: 'https://me:secret@acme.example' },
        'feedMirror must not contain a password; set an address with a password in the environment',
      ],
      [{ timeZone: 'Mars/Olympus' }, 'timeZone must be a time zone such as Europe/Istanbul'],
      [{ sessionIdleMinutes: 0 }, 'sessionIdleMinutes must be a whole number from 1 to 1440'],
      [{ runsKept: 10.5 }, 'runsKept must be a whole number from 10 to 10000'],
      [
        { sessionIdleMinutes: 90, sessionMaxHours: 1 },
        'A session ends after 1 hours at the latest: it cannot be idle for 90 minutes.',
      ],
    ])('refuses %j and says what is allowed', async (body, words) => {
      const of = await other();
      const { status, json } = await service.ask('PUT', '/settings', {
        token: await admin(),
        of,
        body,
      });
      expect(status).toBe(422);
      expect(json['userMessage']).toContain(words);
      expect(await readSettings(service.database)).toEqual(defaultSettings);
    });

    test('shows a setting of the environment with its variable and refuses to change it', async () => {
      const token = await admin();
      const { json } = await service.ask('GET', '/settings', { token });
      expect(json).toEqual({
        settings: { ...defaultSettings, baseUrl: 'https://patch.example.org' },
        fixed: {
          baseUrl: 'BASE_URL',
          sessionIdleMinutes: 'SESSION_IDLE_MINUTES',
          sessionMaxHours: 'SESSION_MAX_HOURS',
        },
      });
      const refused = await service.ask('PUT', '/settings', {
        token,
        body: { sessionMaxHours: 2 },
      });
      expect(refused.status).toBe(422);
      expect(refused.json['userMessage']).toBe(
        'sessionMaxHours is set by the environment variable SESSION_MAX_HOURS; change it there.',
      );
    });

    test('hides a password in the environment’s mirror', async () => {
      const app = await service.start({
        config: { ...withoutOverrides, feedMirror: 'https://me:secret@mirror.example/feeds' },
      });
      others.push(app);
      const { json } = await service.ask('GET', '/settings', { token: await admin(), of: app });
      expect(json).toMatchObject({
        settings: { feedMirror: 'https://mirror.example/feeds' },
        fixed: { feedMirror: 'FEED_MIRROR' },
      });
    });

    test('sends Strict-Transport-Security once the address of the console is https', async () => {
      const startWith = async (config: object) => {
        const app = await service.start({ config: { ...withoutOverrides, ...config } });
        others.push(app);
        return {
          app,
          at: (path: string) =>
            app.inject(path).then(({ headers }) => headers['strict-transport-security']),
        };
      };
      const encrypted = await startWith({ baseUrl: 'https://patch.example.org' });
      expect([
        await encrypted.at('/api/health'),
        await encrypted.at('/login'),
        await encrypted.at('/api/nothing'),
      ]).toEqual(Array.from({ length: 3 }, () => 'max-age=31536000'));
      expect(
        await (await startWith({ baseUrl: 'http://patch.example.org' })).at('/api/health'),
      ).toBeUndefined();
      const set = await startWith({});
      expect(await set.at('/api/health')).toBeUndefined();
      await service.ask('PUT', '/settings', {
        token: await admin(),
        of: set.app,
        body: { baseUrl: 'https://patch.example.org' },
      });
      expect(await set.at('/api/health')).toBe('max-age=31536000');
    });

    test('applies session times from the next sign-in on', async () => {
      const of = await other();
      await service.ask('PUT', '/settings', {
        token: await admin(),
        of,
        body: { sessionIdleMinutes: 5 },
      });
      const { json } = await service.signIn('stan', password, { of });
      expect(json['expiresAt']).toBe(service.now + 5 * minute);
    });

    test('uses the default for a saved value that this version does not accept', async () => {
      await service.database.query(
        `insert into settings (name, value) values ('general', '{"name":"Acme","runsKept":1,"gone":true}')`,
      );
      expect(await readSettings(service.database)).toEqual({ ...defaultSettings, name: 'Acme' });
    });
  });

  describe('the password policy', () => {
    const policy = {
      minLength: 12,
      enableSpecialChar: false,
      enableAlphabetAndNumber: true,
      enableMixCase: false,
    };

    test('applies a new policy to the next new password', async () => {
      const token = await admin();
      expect(
        (await service.ask('PUT', '/user/passwordpolicy', { token, body: policy })).json,
      ).toEqual(policy);
      expect((await service.ask('GET', '/user/passwordpolicy', { token })).json).toEqual(policy);
      const change = (newPassword: string) =>
        service.ask('POST', '/user/changepassword', {
          token,
          body: { oldPassword: password, newPassword },
        });
      expect((await change('Horse-8')).json).toMatchObject({ code: 'weak_password' });
      expect((await change('all lower case 8')).status).toBe(200);
    });

    test('refuses a minimum below eight', async () => {
      const token = await admin();
      expect(
        (
          await service.ask('PUT', '/user/passwordpolicy', {
            token,
            body: { ...policy, minLength: 7 },
          })
        ).status,
      ).toBe(422);
    });
  });
});
