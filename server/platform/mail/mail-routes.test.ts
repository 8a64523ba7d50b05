import { randomBytes } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';
import { specified } from '@patch/catalogue/testing/specified.ts';
import { defaultSettings } from '@patch/contract/operations/settings-endpoints.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { day, describeApp, minute } from '../../identity/sign-in/testing/sign-in-app.ts';
import { buildEmailConfig } from '../../testing/factories.ts';
import { type OutboxSender, startOutboxSender } from '../outbox/outbox-sender.ts';
import { noteSent } from '../outbox/outbox-store.ts';
import { secretBox } from '../secrets/secret-box.ts';
import { writeSettings } from '../settings/settings-store.ts';
import { readMailAccount, writeEmailConfig } from './email-config-store.ts';
import { addMail } from './mail-outbox-store.ts';
import { type MailServer, startMailServer } from './testing/mail-server.ts';

const config = buildEmailConfig({
  password: 'Let-me-send-1',
  replyToEmail: 'help@example.org',
  toEmailId: 'ops@example.org,boss@example.org',
});

describeApp('mailRoutes', (service) => {
  const { operator } = service;
  const save = (change: object = {}) => operator.post('/emailconfig', { ...config, ...change });
  const read = () => operator.get('/emailconfig').json;
  const lastTest = () => operator.get('/emailconfig/lasttest').json;
  const tryIt = (body: object) => operator.post('/emailconfig/testconnection', body);

  test('stores the configuration with a sealed password that no reply contains', async () => {
    expect(await read()).toBeNull();
    expect(await lastTest()).toBeNull();
    const { password: _never, ...shown } = config;
    expect(await save()).toMatchObject({
      status: 200,
      json: { message: specified.emailConfigSaved, config: { ...shown, passwordSet: true } },
    });
    expect(await read()).toEqual({ ...shown, passwordSet: true });
    // The request has all specified fields; the reply lacks the password.
    expect(Object.keys(config).toSorted()).toEqual(specified.emailConfig.toSorted());
    expect(await lastTest()).toBeNull();
    const rows = await service.rows("select value from settings where name = 'email_config'");
    expect(JSON.stringify(rows)).not.toContain(config.password);

    await save({ password: undefined, senderName: 'Patches' });
    expect(await read()).toMatchObject({ senderName: 'Patches', passwordSet: true });
    for (const change of [
      { server: 'smtp.example.net' },
      { email: 'other@example.org' },
      { port: 587 },
      { securityType: 'tls' },
    ]) {
      expect(await save({ password: undefined, ...change }).outcome).toBe('422 password_needed');
      expect(await save(change).status).toBe(200);
      expect(await save().status).toBe(200);
    }
    await save({ password: '' });
    expect(await read()).toMatchObject({ passwordSet: false });
    expect(await save({ password: undefined, server: 'smtp.example.net' }).status).toBe(200);
  });

  test.each([
    [{ server: '' }, 'server is required'],
    [{ server: 'a b' }, 'server must be a host name or an IP address'],
    [{ port: 65_536 }, 'port must be 65535 or less'],
    [{ securityType: 'ssl' }, 'securityType must be one of: none, starttls, tls'],
    [{ email: 'nobody' }, 'email must be a valid email'],
    [{ toEmailId: 'ops@example.org,nobody' }, 'toEmailId must be valid emails joined by commas'],
    [{ senderName: 'Patch\r\nBcc: all@example.org' }, 'senderName must be one line'],
    [{ senderName: 'Patch \ud800' }, 'senderName must be one line'],
    [{ replyToEmail: 5 }, 'replyToEmail must be text'],
    [{ email: 'a@example.org\r\nBcc: all@example.org' }, 'email must be a valid email'],
  ])('rejects %j with a message', async (change, words) => {
    expect(await save(change).refusal).toEqual([422, expect.stringContaining(words)]);
  });

  test('tests the form with the stored password for the same server only, and stores the result', async () => {
    const server = await startMailServer({
      login: { user: config.email, password: config.password },
    });
    const { port } = server;
    await save({ port });
    const form = { ...config, password: undefined, port };
    const connected = { success: true, message: 'Connected Successfully.' };
    expect(await tryIt(form).json).toMatchObject(connected);
    expect(server.taken[0]).toMatchObject({
      user: config.email,
      to: ['ops@example.org', 'boss@example.org'],
    });
    expect(await lastTest()).toMatchObject({ success: true, testedAt: service.now });
    const elsewhere = await tryIt({ ...form, server: '127.0.0.1' }).json;
    expect(elsewhere).toMatchObject({ success: false });
    expect(JSON.stringify(elsewhere)).toContain('No password is set');
    await server.stop();
  });

  test('fails at the login while the stored password cannot be read', async () => {
    const server = await startMailServer();
    const form = { ...config, password: undefined, port: server.port };
    const sealed = { ...config, port: server.port };
    await writeEmailConfig(service.database, secretBox(randomBytes(32)), sealed);
    const { json } = await tryIt(form);
    expect(json).toMatchObject({
      success: false,
      stages: expect.arrayContaining([
        {
          stage: 'login',
          outcome: 'failed',
          words: 'The password of the mail server cannot be read: the secret key has changed.',
          advice: 'Enter the password in the email configuration again.',
        },
      ]),
    });
    expect(server.taken).toEqual([]);
    expect(await tryIt({ ...form, password: '' }).json).toMatchObject({ success: true });
    await server.stop();
    await service.rows("update settings set value = '{}' where name = 'email_config'");
    expect(await tryIt(form).status).toBe(500);
  });

  test('reports and stores the failure when the server does not speak SMTP', async () => {
    const other = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end('J\0\0\0\x0a8.0\0 \x1b[31m\r\n');
    });
    await new Promise<void>((resolve) => {
      other.listen(0, '127.0.0.1', resolve);
    });
    const { port } = other.address() as AddressInfo;
    const { status, json } = await tryIt({ ...config, server: '127.0.0.1', port });
    other.close();
    expect(status).toBe(200);
    expect(json).toMatchObject({ success: false });
    expect(await lastTest()).toEqual(json);
  });

  test('refuses to read the account after the secret key has changed', async () => {
    const { database } = service;
    await writeEmailConfig(database, secretBox(randomBytes(32)), config);
    await expect(readMailAccount(database, secretBox(randomBytes(32)))).rejects.toThrow(
      'the secret key has changed. Enter the password',
    );
  });
});

describeApp('startOutboxSender', (service) => {
  let server: MailServer;
  let sender: OutboxSender;
  let now: number;

  beforeEach(async () => {
    now = service.now;
    await service.database.script('delete from outbox');
    server = await startMailServer();
    const account = { ...config, password: '', port: server.port };
    await writeEmailConfig(service.database, service.box, account);
    sender = startSender();
  });
  afterEach(async () => {
    await sender.stop();
    await server.stop();
  });

  const startSender = () =>
    startOutboxSender({
      database: service.database,
      box: service.box,
      log: service.app.log as never,
      clock: () => now,
    });
  const messageId = (text = '') => /^Message-ID: (.*?)\r?$/im.exec(text)?.[1];
  const mail = (recipient: string, subject = 'News') =>
    addMail(
      service.database,
      { kind: 'Test', recipient, subject, body: 'First line\n.\nGrüße' },
      now,
    );
  const deliveries = () => service.operator.get('/emailconfig/deliveries').list;

  test('sends queued mails in order and removes their bodies', async () => {
    await mail('one@example.org');
    await mail('two@example.org', 'Ümlaut');
    await sender.sendDue();
    expect(server.taken.map(({ to }) => to)).toEqual([['one@example.org'], ['two@example.org']]);
    expect(server.taken[0]?.text).toMatch(/^From: "?Patch Repository"? <patch@example.org>\r?\n/m);
    expect(server.taken[0]?.text).toMatch(/^Reply-To: help@example.org\r?$/m);
    expect(await deliveries()).toMatchObject([
      { recipient: 'two@example.org', state: 'sent', attempts: 1, endedAt: now },
      { recipient: 'one@example.org', state: 'sent', attempts: 1 },
    ]);
    expect(await service.rows('select body from outbox')).toEqual([{ body: '' }, { body: '' }]);
  });

  test('retries with the same Message-ID and gives up after eight attempts over a day', async () => {
    await mail('one@example.org');
    server.refuseNext(2);
    await sender.sendDue();
    expect(await deliveries()).toMatchObject([
      { state: 'queued', attempts: 1, lastError: expect.stringContaining('Try again later') },
    ]);
    await sender.sendDue();
    expect(await deliveries()).toMatchObject([{ attempts: 1 }]);
    now += minute;
    await sender.sendDue();
    now += 5 * minute;
    // Another process makes the last attempt.
    await sender.stop();
    sender = startSender();
    await sender.sendDue();
    expect(await deliveries()).toMatchObject([{ state: 'sent', attempts: 3, lastError: '' }]);
    const [first, ...retries] = [...server.refused, server.taken[0]?.text].map(messageId);
    expect(first).toMatch(/^<[\w-]{32}@example.org>$/);
    expect(retries).toEqual([first, first]);

    await mail('lost@example.org');
    server.refuseNext(100);
    for (const wait of [0, 1, 5, 15, 60, 360, 480, 519]) {
      now += wait * minute;
      await sender.sendDue();
    }
    expect((await deliveries())[0]).toMatchObject({
      recipient: 'lost@example.org',
      state: 'failed',
      attempts: 8,
      endedAt: now,
    });
  });

  test('stores a refusal with a NUL character and retries in time', async () => {
    await mail('one@example.org');
    server.refuseNext(1, 'Not\0 now');
    await sender.sendDue();
    expect(await deliveries()).toMatchObject([
      { state: 'queued', attempts: 1, lastError: expect.stringContaining('Not now') },
    ]);
    now += minute;
    await sender.sendDue();
    expect(await deliveries()).toMatchObject([{ state: 'sent', attempts: 2 }]);
  });

  test('refuses a subject with line breaks and sends the next mail', async () => {
    await mail('one@example.org', 'News\r\nBcc: all@example.org');
    await mail('two@example.org');
    await sender.sendDue();
    expect(server.taken.map(({ to }) => to)).toEqual([['two@example.org']]);
  });

  test('sends each mail once when two senders run', async () => {
    for (let n = 0; n < 8; n++) await mail(`${n}@example.org`);
    const other = startSender();
    await Promise.all([sender.sendDue(), other.sendDue()]);
    await other.stop();
    expect(server.taken).toHaveLength(8);
    expect(new Set(server.taken.map(({ to }) => to[0])).size).toBe(8);
  });

  test('removes sent mails after the configured days and never removes queued ones', async () => {
    await writeSettings(service.database, { ...defaultSettings, mailsKeptDays: 10 });
    const [early, late] = [
      await mail('one@example.org', 'early'),
      await mail('one@example.org', 'late'),
    ];
    await noteSent(service.database, early, now);
    await noteSent(service.database, late, now + 2 * day);
    await sender.sendDue();
    now += 11 * day;
    server.refuseNext(1);
    await mail('one@example.org', 'waits');
    await sender.sendDue();
    expect((await deliveries()).map(({ subject }) => subject)).toEqual(['waits', 'late']);
  });
});
