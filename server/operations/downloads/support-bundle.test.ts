import type { Download } from '@patch/contract/operations/download-endpoints.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { saveSettings } from '../../ingest/sources/source-setting-store.ts';
import { addChannel } from '../../platform/channels/channel-store.ts';
import { readConfig } from '../../platform/config/config.ts';
import { writeEmailConfig } from '../../platform/mail/email-config-store.ts';
import { secretBox } from '../../platform/secrets/secret-box.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { buildEmailConfig } from '../../testing/factories.ts';
import { createMasking, readPassword, supportConfig } from './support-config.ts';
import { DownloadService } from './testing/download-service.ts';
import { unzipped } from './testing/zip-files.ts';

/** Each in a different source; some are encoded in JSON or in an address. */
const secrets = {
  administrator: 'Admin"Pass\\word-1',
  key: 'the-key-that-seals-all-other-secrets-42',
  database: 'db p@ss/word',
  mirror: 'mirror-pass-77',
  source: 'source-mirror-pass',
  mail: 'smtp-pass-"quoted"',
  channelPath: 'xoxb-part-of-the-path-1',
  channelToken: 'token-of-gotify-1',
};

describeWithDatabase('support bundle', (open) => {
  let service: DownloadService;
  let files: Record<string, string>;
  let made: Download;
  const key = new Uint8Array(32).fill(7);

  beforeAll(async () => {
    const database = await open();
    const environment = {
      ADMIN_EMAIL: 'chief@example.org',
      ADMIN_PASSWORD: secrets.administrator,
      SECRET_KEY: secrets.key,
      FEED_MIRROR: `https://reader:${secrets.mirror}@mirror.example.org/feeds`,
    };
    service = await new DownloadService(database, key, { environment }).begin();
    const mail = buildEmailConfig({ server: 'smtp.example.org', password: secrets.mail });
    await writeEmailConfig(database, secretBox(key), mail);
    const box = secretBox(key);
    await addChannel(
      database,
      {
        kind: 'gotify',
        name: 'Chat',
        ownerId: null,
        shownAddress: '',
        sealedAddress: box.seal(`https://chat.example.org/services/${secrets.channelPath}`),
        sealedSecret: box.seal(secrets.channelToken),
        addressHash: 'hash',
        types: [],
      },
      1,
    );
    const mirror = `https://${secrets.source}:${secrets.source}@other.example.org/`;
    const settings = {
      enabled: true,
      schedule: null,
      mirror,
      leftOut: [],
      added: [],
      shrinkageShare: 30,
    };
    await saveSettings(database, 'debian', settings, 'Operator', 1);
    const failed = `login with ${secrets.mail} to https://me:${secrets.mirror}@host/ failed`;
    await database.query(
      `insert into sync_run (source, state, started_by, queued_time, heartbeat_time, message_data) values ('debian', 'failed', 'schedule', 1, 1, $1::jsonb)`,
      [JSON.stringify({ code: 'text', params: { text: failed } })],
    );
    const everything = Object.values(secrets).join(' and ');
    const time = '2026-11-20T00:00:00.000Z';
    service.writeLog('server.log', [
      { level: 'info', time, msg: 'not weighty' },
      { level: 'warn', time, msg: `a careless warning with ${everything}` },
      { level: 'error', time, msg: encodeURIComponent(secrets.database) },
    ]);
    made = await service.made('support_bundle');
    const zip = await unzipped(await service.fetched(made.id));
    files = Object.fromEntries(
      Object.entries(zip).map(([name, content]) => [name, content.toString()]),
    );
  });
  afterAll(() => service.stop());

  test('contains the facts that a helper needs', () => {
    expect(made).toMatchObject({
      state: 'done',
      message: 'Passwords, keys and tokens are masked. Check the file before you send it.',
    });
    expect(Object.keys(files)).toEqual([
      'versions.json',
      'configuration.json',
      'sources.json',
      'runs.json',
      'warnings.jsonl',
      'database.json',
    ]);
    for (const [name, text] of Object.entries(files))
      expect(text, name).not.toContain('notGathered');
    expect(JSON.parse(files['versions.json'] ?? '')).toMatchObject({
      product: expect.any(String),
      node: process.version,
    });
    expect(JSON.parse(files['configuration.json'] ?? '')).toMatchObject({
      environment: {
        adminPassword: '•••',
        secretKey: '•••',
        feedMirror: 'https://•••@mirror.example.org/feeds',
      },
      settings: { email_config: { server: 'smtp.example.org', sealedPassword: '•••' } },
      sources: { debian: { mirror: 'https://•••@other.example.org/' } },
    });
    expect(files['runs.json']).toContain('login with •••');
    expect(files['warnings.jsonl']?.split('\n')).toHaveLength(3);
    expect(files['warnings.jsonl']).not.toContain('not weighty');
    expect(JSON.parse(files['database.json'] ?? '')).toMatchObject({
      kind: 'server',
      bytes: expect.any(Number),
    });
  });

  test('contains no known secret in any encoding', async () => {
    const { rows } = await service.database.query(
      `select token_hash as one, password_hash as other, (select value ->> 'sealedPassword' from settings where name = 'email_config') as sealed
       from sessions, users where users.id = user_id`,
    );
    const stored = rows.flatMap((row) => Object.values(row).map(String));
    expect(stored).toHaveLength(3);
    const { database: _elsewhere, ...given } = secrets;
    const keys = [Buffer.from(key).toString('base64'), Buffer.from(key).toString('hex')];
    const written = [...Object.values(given), ...stored, ...keys].flatMap((secret) => [
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret).slice(1, -1),
    ]);
    for (const [name, text] of Object.entries(files))
      for (const secret of written) expect(text, `${name}: ${secret}`).not.toContain(secret);
  });
});

test('masks the password of the database wherever it occurs', () => {
  const url = `postgres://patch:${encodeURIComponent(secrets.database)}@db.example.org:5432/patches?password=x`;
  const { shown, secrets: known } = supportConfig(readConfig({ DATABASE_URL: url }, '/'));
  expect(shown['databaseUrl']).toBe('postgres://db.example.org:5432/patches');
  expect(readPassword(url)).toBe(secrets.database);
  expect(readPassword('postgres://patch@db.example.org/patches?password=in%20the%20query')).toBe(
    'in the query',
  );
  const masked = createMasking(known);
  expect(masked(`cannot open ${url}; tried ${secrets.database}`)).toBe(
    'cannot open postgres://•••@db.example.org:5432/patches?password=x; tried •••',
  );
});

test('shows every value of the configuration or knows it as secret', () => {
  const given = {
    ADMIN_PASSWORD: 'abcdef',
    SECRET_KEY: 's'.repeat(40),
    PUBLISH_TO: 's3://patches/tree?region=eu-1',
    PUBLISH_KEY_ID: 'AKIDEXAMPLE',
    PUBLISH_SECRET_KEY: 'of-a-bucket',
    PUBLISHED_AT: 'https://someone:of-a-cdn@patches.example.org/tree',
  };
  const config = readConfig({ ...given, DATABASE_URL: 'postgres://a:secret1@b/c' }, '/');
  const { shown, secrets: masked } = supportConfig(config);
  const known = new Set([...Object.keys(shown), 'checkReplies']);
  expect(Object.keys(config).filter((name) => !known.has(name))).toEqual([]);
  expect(JSON.stringify(shown)).not.toMatch(/abcdef|ssss|secret1|AKID|of-a-bucket|of-a-cdn/);
  expect(masked).toEqual(expect.arrayContaining(['AKIDEXAMPLE', 'of-a-bucket', 'of-a-cdn']));
});
