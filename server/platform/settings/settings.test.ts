import { defaultSettings } from '@patch/contract/operations/settings-endpoints.ts';
import type { FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { minute, withSignInApp } from '../../identity/sign-in/testing/sign-in-app.ts';
import type { AppParts } from '../../service/app-parts.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { configWithoutOverrides, password } from '../../testing/factories.ts';
import { NotificationListener } from '../database/notifications.ts';
import { readSettings } from './settings-store.ts';

describeWithDatabase('settings', (open) => {
  let databaseUrl = '';
  const service = withSignInApp(async () => {
    const database = await open();
    databaseUrl = database.url;
    return database;
  });
  const others: { close(): Promise<unknown> }[] = [];
  const start = async (config: Partial<AppParts['config']> = {}, more: Partial<AppParts> = {}) => {
    const app = await service.start({ config: { ...configWithoutOverrides, ...config }, ...more });
    others.push(app);
    return app;
  };
  const startOperator = async () => service.operator.at(await start());
  const about = (app: FastifyInstance) => service.anyone.at(app).get('/about').json;
  afterEach(async () => {
    for (const app of others.splice(0)) await app.close();
  });

  test('returns defaults until settings are saved', async () => {
    const operator = await startOperator();
    expect(await operator.get('/settings').json).toEqual({ settings: defaultSettings, fixed: {} });
  });

  test('saves the given settings and leaves the others unchanged', async () => {
    const app = await start();
    const operator = service.operator.at(app);
    const shown = { name: 'Patches of Acme', timeZone: 'Europe/Istanbul' };
    await operator.put('/settings', shown);
    const more = { baseUrl: 'https://patch.acme.example/', runsKept: 50 };
    const now = { ...defaultSettings, ...shown, ...more, baseUrl: 'https://patch.acme.example' };
    expect(await operator.put('/settings', more).json).toEqual({ settings: now, fixed: {} });
    expect(await readSettings(service.database)).toEqual(now);
    expect(await about(app)).toEqual({ ...shown, sendsMail: false });
  });

  test('applies a change by another process as soon as it is committed', async () => {
    const notifications = new NotificationListener({ url: databaseUrl });
    const operator = await startOperator();
    const app = await start({}, { notifications });
    others.push(notifications);
    const body = { name: 'Patches of Acme' };
    await operator.put('/settings', body);
    await expect.poll(() => about(app)).toMatchObject(body);
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
    const operator = await startOperator();
    const refusal = [422, expect.stringContaining(words)];
    expect(await operator.put('/settings', body).refusal).toEqual(refusal);
    expect(await readSettings(service.database)).toEqual(defaultSettings);
  });

  test('shows a setting of the environment with its variable and refuses to change it', async () => {
    expect(await service.operator.get('/settings').json).toEqual({
      settings: { ...defaultSettings, baseUrl: 'https://patch.example.org' },
      fixed: {
        baseUrl: 'BASE_URL',
        sessionIdleMinutes: 'SESSION_IDLE_MINUTES',
        sessionMaxHours: 'SESSION_MAX_HOURS',
      },
    });
    expect(await service.operator.put('/settings', { sessionMaxHours: 2 }).refusal).toEqual([
      422,
      'sessionMaxHours is set by the environment variable SESSION_MAX_HOURS; change it there.',
    ]);
  });

  test('saves other settings beside an idle time of the environment that no session reaches', async () => {
    const operator = service.operator.at(await start({ sessionIdleMinutes: 1440 }));
    expect(await operator.put('/settings', { name: 'Acme' }).status).toBe(200);
    expect(await operator.put('/settings', { sessionMaxHours: 23 }).outcome).toBe(
      '422 idle_beyond_session',
    );
    expect(await operator.put('/settings', { sessionMaxHours: 24 }).status).toBe(200);
  });

  test('hides a password in the environment’s mirror', async () => {
    const app = await start({ feedMirror: 'https://me:secret@mirror.example/feeds' });
    expect(await service.operator.at(app).get('/settings').json).toMatchObject({
      settings: { feedMirror: 'https://mirror.example/feeds' },
      fixed: { feedMirror: 'FEED_MIRROR' },
    });
  });

  test('sends Strict-Transport-Security once the address of the console is https', async () => {
    const readHeader = async (app: FastifyInstance, path = '/api/health') =>
      (await app.inject(path)).headers['strict-transport-security'];
    const baseUrl = 'https://patch.example.org';
    const encrypted = await start({ baseUrl });
    for (const path of ['/api/health', '/login', '/api/nothing'])
      expect(await readHeader(encrypted, path), path).toBe('max-age=31536000');
    const plain = await start({ baseUrl: 'http://patch.example.org' });
    expect(await readHeader(plain)).toBeUndefined();
    const app = await start();
    expect(await readHeader(app)).toBeUndefined();
    await service.operator.at(app).put('/settings', { baseUrl });
    expect(await readHeader(app)).toBe('max-age=31536000');
  });

  test('applies session times from the next sign-in on', async () => {
    const of = await start();
    await service.operator.at(of).put('/settings', { sessionIdleMinutes: 5 });
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
