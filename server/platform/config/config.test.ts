import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

const read = (environment: Record<string, string | undefined>) =>
  readConfig(environment, '/srv/repository');

test('returns the defaults of the manual when nothing is set', () => {
  expect(read({})).toEqual({
    port: 8080,
    host: '127.0.0.1',
    dataDir: '/srv/repository/data',
    databaseUrl: null,
    databaseReadUrls: [],
    adminEmail: null,
    adminPassword: null,
    feedMirror: null,
    baseUrl: null,
    secretKey: null,
    postgresSettings: {},
    role: 'all',
    sessionIdleMinutes: null,
    sessionMaxHours: null,
    logLevel: 'info',
    trustProxy: false,
    downloadsGigabytes: 20,
    searchMemoryMegabytes: 256,
    machinesKeptDays: 90,
    metricsToken: null,
    mailTargets: [],
    channelTargets: [],
    drainSeconds: 0,
    publishTo: null,
    publishedAt: null,
    publishKeyId: null,
    publishSecretKey: null,
    checkReplies: false,
  });
});

test('treats empty text as unset', () => {
  expect(read({ PORT: '', DATABASE_URL: ' ', ADMIN_EMAIL: '' })).toEqual(read({}));
});

test('reads every form of a setting', () => {
  const config = read({
    PORT: '0',
    DATA_DIR: '/var/lib/patches',
    DATABASE_URL: 'postgresql://someone:secret@db/patches',
    FEED_MIRROR: 'http://mirror.example/feeds/',
    ROLE: 'worker',
    TRUST_PROXY: '1',
  });
  expect(config).toMatchObject({
    port: 0,
    dataDir: '/var/lib/patches',
    feedMirror: 'http://mirror.example/feeds',
    role: 'worker',
    trustProxy: 1,
  });
  expect(read({ SESSION_IDLE_MINUTES: '60', SESSION_MAX_HOURS: '1' }).sessionMaxHours).toBe(1);
  expect(read({ BASE_URL: 'https://host/patches/' }).baseUrl).toBe('https://host/patches');
  expect(read({ FEED_MIRROR: tmpdir() }).feedMirror).toBe(tmpdir());
  expect(read({ TRUST_PROXY: '10.0.0.0/8, loopback' }).trustProxy).toBe('10.0.0.0/8, loopback');
  expect(read({ TRUST_PROXY: '10.0.0.1' }).trustProxy).toBe('10.0.0.1');
  expect(read({ TRUST_PROXY: '::1' }).trustProxy).toBe('::1');
  expect(read({ TRUST_PROXY: 'false' }).trustProxy).toBe(false);
});

const primary = 'postgres://patches:secret@db:5432/patches';

test('reads addresses of read replicas joined by commas', () => {
  const [firstUrl, secondUrl] = [primary.replace('@db', '@one'), primary.replace('@db', '@two')];
  const config = read({ DATABASE_URL: primary, DATABASE_READ_URLS: `${firstUrl}, ${secondUrl},` });
  expect(config.databaseReadUrls).toEqual([firstUrl, secondUrl]);
});

test.each([
  [{ PORT: '80000' }, 'PORT must be a whole number from 0 to 65535.'],
  [{ PORT: 'http' }, 'PORT must be a whole number from 0 to 65535.'],
  [{ ROLE: 'boss' }, 'ROLE must be one of all, web, worker.'],
  [
    { LOG_LEVEL: 'loud' },
    'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent.',
  ],
  [{ METRICS_TOKEN: 'short' }, 'METRICS_TOKEN must be at least 16 characters long.'],
  [{ DRAIN_SECONDS: '301' }, 'DRAIN_SECONDS must be a whole number from 0 to 300.'],
  [{ ADMIN_EMAIL: 'nobody' }, 'ADMIN_EMAIL must be an email address.'],
  [{ SESSION_IDLE_MINUTES: '0' }, 'SESSION_IDLE_MINUTES must be a whole number from 1 to 1440.'],
  [
    { SESSION_IDLE_MINUTES: '61', SESSION_MAX_HOURS: '1' },
    'SESSION_IDLE_MINUTES must be a whole number from 1 to 60 with SESSION_MAX_HOURS=1.',
  ],
  ...['ftp://host', 'https://me:hunter2@host', 'https://host/?q=1', 'https://host/#top'].map(
    (BASE_URL): [Record<string, string>, string] => [
      { BASE_URL },
      'BASE_URL must be the http(s) address of the console, such as https://patch.example.org, without a user and a password, spaces, ? and #',
    ],
  ),
  ...['a:b:c', 'localhost:99999', 'localhost:0', '::1::'].map(
    (target): [Record<string, string>, string] => [
      { MAIL_TARGETS: target },
      'MAIL_TARGETS must be',
    ],
  ),
  ...['10.0.0.0/99', '::1/129', '10.0.0.0/', '10.0.0.0/8/8', '/8'].map(
    (address): [Record<string, string>, string] => [
      { TRUST_PROXY: address },
      'TRUST_PROXY must be false',
    ],
  ),
  [{ TRUST_PROXY: 'true' }, 'TRUST_PROXY must be false, the number of proxies in front (1)'],
  [
    { FEED_MIRROR: 'no-such-folder' },
    'FEED_MIRROR must be an http(s) address or a folder that exists. /srv/repository/no-such-folder does not exist.',
  ],
  [
    { DATABASE_READ_URLS: primary },
    'DATABASE_READ_URLS needs DATABASE_URL: the embedded database has no read replicas.',
  ],
  [
    { DATABASE_URL: primary, DATABASE_READ_URLS: primary.replace('secret', 'other') },
    'DATABASE_READ_URLS names db:5432/patches again, which is the server in DATABASE_URL or an earlier replica.',
  ],
  [
    { PORT: 'x', ROLE: 'y' },
    'PORT must be a whole number from 0 to 65535. ROLE must be one of all, web, worker.',
  ],
])('refuses %j with a sentence', (environment, sentence) => {
  expect(() => read(environment)).toThrow(sentence);
});

test('does not repeat a password of an invalid address', () => {
  expect(() => read({ DATABASE_URL: 'mysql://root:hunter2@db' })).toThrow(
    /^DATABASE_URL must be a PostgreSQL address: postgres:\/\/user:password@host:5432\/database\.$/,
  );
  expect(() =>
    read({ DATABASE_URL: primary, DATABASE_READ_URLS: 'postgres://root:hunt,er2@db/patches' }),
  ).toThrow(
    /^DATABASE_READ_URLS must be PostgreSQL addresses of at most 16 read replicas, joined by commas: postgres:\/\/user:password@replica:5432\/database; a comma in a password is written %2C\.$/,
  );
});

test('reads the targets of channels, and refuses what is neither a host nor a network', () => {
  const text = 'chat.example.org:8443, 10.0.0.0/8 fd00::/8,127.0.0.1';
  const targets = ['chat.example.org:8443', '10.0.0.0/8', 'fd00::/8', '127.0.0.1'];
  expect(read({ CHANNEL_TARGETS: text }).channelTargets).toEqual(targets);
  for (const wrong of ['https://chat.example.org/', '10.0.0.0/33', 'a/8'])
    expect(() => read({ CHANNEL_TARGETS: wrong })).toThrow('CHANNEL_TARGETS must be hosts');
});

const publishKey = { PUBLISH_KEY_ID: 'AKIDEXAMPLE', PUBLISH_SECRET_KEY: 'a/secret+key' };

test('reads each form of PUBLISH_TO', () => {
  const publishTo = (text: string) => read({ PUBLISH_TO: text, ...publishKey }).publishTo;
  expect(publishTo('service')).toEqual({ kind: 'service' });
  expect(publishTo('../tree')).toEqual({ kind: 'folder', path: '/srv/tree' });
  const bucket = { kind: 'bucket', bucket: 'patches', prefix: '', region: 'eu-central-1' };
  expect(publishTo('s3://patches?region=eu-central-1')).toEqual({ ...bucket, endpoint: null });
  expect(
    publishTo('s3://patches/a/tree/?endpoint=https://s3.example.org:9000/&region=eu-central-1'),
  ).toEqual({ ...bucket, prefix: 'a/tree', endpoint: 'https://s3.example.org:9000' });
  expect(read(publishKey)).toMatchObject({
    publishKeyId: 'AKIDEXAMPLE',
    publishSecretKey: 'a/secret+key',
  });
});

test.each([
  ['https://patches.example.org/', 'Addresses of buckets begin with s3://.'],
  ['s3://id:hunter2@patches?region=eu-1', 'The access key belongs into PUBLISH_KEY_ID'],
  ['s3://Patches?region=eu-1', 'The name of a bucket has 3 to 63 lower-case letters'],
  ['s3://patches:9000/tree?region=eu-1', 'another server is given as endpoint'],
  ['s3://patches/a//b?region=eu-1', 'The prefix has letters'],
  ['s3://patches/tree%20x?region=eu-1', 'The prefix has letters'],
  ['s3://patches/tree', 'It needs the region: region=eu-central-1'],
  ['s3://patches/tree?region=eu-1&secret=hunter2', 'it has endpoint and region'],
  ['s3://patches/tree?region=eu-1&region=eu-2', 'it has endpoint and region'],
  ['s3://patches?region=eu-1&endpoint=s3.example.org', 'The endpoint is an http(s) address'],
  ['s3://patches?region=eu-1&endpoint=https://s3.example.org/b', 'The endpoint is an http(s)'],
  ['s3://patches?region=eu-1&endpoint=https://a:hunter2@b', 'The endpoint is an http(s) address'],
])('refuses to publish to %s, and repeats no password', (text, sentence) => {
  const refused = () => read({ PUBLISH_TO: text, ...publishKey });
  expect(refused).toThrow(/^PUBLISH_TO must be service, a folder, or a bucket: s3:\/\//);
  expect(refused).toThrow(sentence);
  expect(refused).not.toThrow('hunter2');
});

test('asks for an access key of a bucket', () => {
  const bucket = { PUBLISH_TO: 's3://patches?region=eu-1' };
  const needed = 'PUBLISH_TO names a bucket, which needs PUBLISH_KEY_ID and PUBLISH_SECRET_KEY';
  expect(() => read(bucket)).toThrow(needed);
  expect(() => read({ ...bucket, PUBLISH_KEY_ID: 'AKIDEXAMPLE' })).toThrow(needed);
  expect(() => read({ ...bucket, ...publishKey, PUBLISH_KEY_ID: 'a/b' })).toThrow(
    'PUBLISH_KEY_ID must be one word of at most 128 characters, without slashes and commas.',
  );
  expect(() => read({ ...bucket, ...publishKey, PUBLISH_SECRET_KEY: 'hunter2' })).toThrow(
    /^PUBLISH_SECRET_KEY must be one word of 8 to 200 characters\.$/,
  );
});
