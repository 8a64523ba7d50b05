/** Reads and checks the environment once. All other code gets plain data and never reads process.env. */
import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import {
  GeneralSettings,
  sessionTimesProblem,
} from '@patch/contract/operations/settings-endpoints.ts';
import { z } from 'zod';
import { StartupError } from '../errors/startup-error.ts';
import { isChannelTarget } from '../network/target-exceptions.ts';
import { type PostgresSettings, parsePostgresSettings } from '../postgres/postgres-settings.ts';
import { readPublishTo } from './publish-to.ts';
import { serverAddress } from './server-address.ts';

export const roles = ['all', 'web', 'worker'] as const;
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export type Config = Readonly<ReturnType<typeof readConfig>>;

const integer = (least: number, most: number) => {
  const words = `a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, words)
    .transform(Number)
    .pipe(z.number().min(least, words).max(most, words));
};

const choice = <const T extends readonly [string, ...string[]]>(allowed: T, standard: T[number]) =>
  z.enum(allowed, `one of ${allowed.join(', ')}`).default(standard as never);

/** Words that are separated by commas or spaces. */
const words = (
  maxLength: number,
  areValid: (given: readonly string[]) => boolean,
  allowed: string,
) =>
  z
    .string()
    .max(maxLength)
    .transform((text): readonly string[] => text.split(/[\s,]+/).filter((word) => word !== ''))
    .refine(areValid, allowed)
    .default([]);

function isProxyAddress(text: string): boolean {
  const [, address = '', prefix = '0'] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return /^(loopback|linklocal|uniquelocal)$/.test(text) || Number(prefix) <= bits;
}

const TrustProxy = z
  .string()
  .refine(
    (text) => /^(false|\d{1,2})$/.test(text) || text.split(/, ?/).every(isProxyAddress),
    "false, the number of proxies in front (1), or their addresses joined by commas ('10.0.0.0/8,loopback')",
  )
  .transform((text): false | number | string =>
    text === 'false' || text === '0' ? false : /^\d+$/.test(text) ? Number(text) : text,
  )
  .default(false);

function isMailTarget(target: string): boolean {
  const [, host, port = '1'] = /^([\w.-]{1,253})(?::(\d{1,5}))?$/.exec(target) ?? [];
  return isIP(target) !== 0 || (host !== undefined && Number(port) > 0 && Number(port) < 65_536);
}

const maxReplicas = 16;
const isServerAddress = (url: string) =>
  /^postgres(ql)?:\/\//.test(url) && URL.canParse(url) && new URL(url).hostname !== '';

const Environment = z.object({
  PORT: integer(0, 65535).default(8080),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: z
    .string()
    .regex(
      /^postgres(ql)?:\/\/./,
      'a PostgreSQL address: postgres://user:password@host:5432/database',
    )
    .optional(),
  DATABASE_READ_URLS: words(
    8000,
    (urls) => urls.every(isServerAddress) && urls.length <= maxReplicas,
    `PostgreSQL addresses of at most ${maxReplicas} read replicas, joined by commas: postgres://user:password@replica:5432/database; a comma in a password is written %2C`,
  ),
  POSTGRES_SETTINGS: z
    .string()
    .max(2000)
    .transform(parsePostgresSettings)
    .refine(
      (settings) => settings !== null,
      'settings of PostgreSQL, joined by commas: shared_buffers=128MB, work_mem=64MB. Its files, addresses and sockets are set by the service',
    )
    .optional(),
  ADMIN_EMAIL: z
    .email('an email address')
    .max(255, 'an email address of at most 255 characters')
    .optional(),
  ADMIN_PASSWORD: z.string().max(1024, 'at most 1024 characters long').optional(),
  FEED_MIRROR: z.string().optional(),
  BASE_URL: z
    .string()
    .refine(
      (text) => GeneralSettings.shape.baseUrl.safeParse(text).success,
      'the http(s) address of the console, such as https://patch.example.org, without a user and a password, spaces, ? and #, in at most 500 characters',
    )
    .optional(),
  SECRET_KEY: z
    .string()
    .min(32, 'at least 32 characters long')
    .max(1024, 'at most 1024 characters long')
    .optional(),
  ROLE: choice(roles, 'all'),
  SESSION_IDLE_MINUTES: integer(1, 1440).optional(),
  SESSION_MAX_HOURS: integer(1, 720).optional(),
  LOG_LEVEL: choice(logLevels, 'info'),
  TRUST_PROXY: TrustProxy,
  DOWNLOADS_GB: integer(1, 10_000).default(20),
  SEARCH_MEMORY_MB: integer(0, 1_000_000).default(256),
  MACHINES_KEPT_DAYS: integer(1, 3650).default(90),
  METRICS_TOKEN: z
    .string()
    .min(16, 'at least 16 characters long')
    .max(200, 'at most 200 characters long')
    .regex(/^\S+$/, 'one word')
    .optional(),
  MAIL_TARGETS: words(
    2000,
    (targets) => targets.every(isMailTarget),
    "hosts with or without a port, joined by commas: 'localhost:25,relay.example.org:10025'",
  ),
  CHANNEL_TARGETS: words(
    2000,
    (targets) => targets.every(isChannelTarget),
    "hosts with or without a port, or networks, joined by commas: 'localhost:8065,10.0.0.0/8'",
  ),
  DRAIN_SECONDS: integer(0, 300).default(0),
  PUBLISH_TO: z.string().max(2000).optional(),
  PUBLISHED_AT: z
    .url({
      protocol: /^https?$/,
      error: 'the http(s) address at which clients find the published catalogue',
    })
    .max(2000)
    .optional(),
  PUBLISH_KEY_ID: z
    .string()
    .regex(/^[^\s/,]{1,128}$/, 'one word of at most 128 characters, without slashes and commas')
    .optional(),
  PUBLISH_SECRET_KEY: z
    .string()
    .regex(/^\S{8,200}$/, 'one word of 8 to 200 characters')
    .optional(),
  NODE_ENV: z.string().optional(),
});

export const variableNames: readonly string[] = Object.keys(Environment.shape);

/** @throws StartupError names every invalid variable, and what is allowed. */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>>,
  workingFolder: string,
) {
  // Compose files pass unset variables as empty text.
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const read = Environment.safeParse(given);
  if (!read.success)
    throw new StartupError(
      read.error.issues
        .map((issue) => `${issue.path.join('.')} must be ${issue.message}.`)
        .join(' '),
    );
  const values = read.data;
  assertSessionTimes(values);
  assertReplicas(values.DATABASE_URL ?? null, values.DATABASE_READ_URLS);
  const postgresSettings: PostgresSettings = values.POSTGRES_SETTINGS ?? {};
  return {
    port: values.PORT,
    host: values.HOST,
    /** Absolute. */
    dataDir: resolve(workingFolder, values.DATA_DIR),
    /** Null: the service's own PostgreSQL in dataDir. */
    databaseUrl: values.DATABASE_URL ?? null,
    /** Override the defaults of the embedded PostgreSQL. */
    postgresSettings,
    /** Read replicas of the server in databaseUrl. */
    databaseReadUrls: values.DATABASE_READ_URLS,
    adminEmail: values.ADMIN_EMAIL ?? null,
    adminPassword: values.ADMIN_PASSWORD ?? null,
    /** A URL without a trailing slash or an absolute folder; null: as the settings say. */
    feedMirror:
      values.FEED_MIRROR === undefined ? null : resolveMirror(values.FEED_MIRROR, workingFolder),
    /** Public address of the console, without a trailing slash, for links in emails; null: as the settings say. */
    baseUrl: values.BASE_URL?.replace(/\/+$/, '') ?? null,
    /** Seals secrets; null: a key in dataDir. */
    secretKey: values.SECRET_KEY ?? null,
    role: values.ROLE,
    /** Null: as the settings say. */
    sessionIdleMinutes: values.SESSION_IDLE_MINUTES ?? null,
    sessionMaxHours: values.SESSION_MAX_HOURS ?? null,
    logLevel: values.LOG_LEVEL,
    /** False, the number of proxies in front, or their addresses joined by commas. */
    trustProxy: values.TRUST_PROXY,
    /** Total size limit of the files of downloads. */
    downloadsGigabytes: values.DOWNLOADS_GB,
    /** Memory limit of the in-memory indexes. */
    searchMemoryMegabytes: values.SEARCH_MEMORY_MB,
    /** Machines that their client has not reported for so many days are deleted. */
    machinesKeptDays: values.MACHINES_KEPT_DAYS,
    /** Required to read /metrics; null: only this machine and API keys may. */
    metricsToken: values.METRICS_TOKEN ?? null,
    /** Mail servers that are allowed besides those on mail ports of other machines, each `host` or `host:port`: a relay on this machine. */
    mailTargets: values.MAIL_TARGETS,
    /** Channel receivers on this machine or in private networks that are allowed: each a host, `host:port` or a network. */
    channelTargets: values.CHANNEL_TARGETS,
    /** Time for load balancers to notice: a stopping service serves requests while /api/health/ready returns 503. */
    drainSeconds: values.DRAIN_SECONDS,
    /** Where the catalogue is published as a tree of files; null: nowhere. */
    publishTo:
      values.PUBLISH_TO === undefined
        ? null
        : readPublishTo(
            values.PUBLISH_TO,
            { keyId: values.PUBLISH_KEY_ID, secretKey: values.PUBLISH_SECRET_KEY },
            workingFolder,
          ),
    /** The address of the tree for clients, without a trailing slash; null: the service serves it. */
    publishedAt: values.PUBLISHED_AT?.replace(/\/+$/, '') ?? null,
    /** The access key of the bucket in publishTo. */
    publishKeyId: values.PUBLISH_KEY_ID ?? null,
    publishSecretKey: values.PUBLISH_SECRET_KEY ?? null,
    /** Validate every reply against the contract: in development and tests. */
    checkReplies: values.NODE_ENV === 'development' || values.NODE_ENV === 'test',
  };
}

/** @throws StartupError when a session could be idle for longer than it lasts. */
function assertSessionTimes({
  SESSION_IDLE_MINUTES: sessionIdleMinutes,
  SESSION_MAX_HOURS: sessionMaxHours,
}: z.output<typeof Environment>): void {
  if (sessionIdleMinutes === undefined || sessionMaxHours === undefined) return;
  const problem = sessionTimesProblem({ sessionIdleMinutes, sessionMaxHours });
  if (problem !== null)
    throw new StartupError(
      `SESSION_IDLE_MINUTES must be a whole number from 1 to ${Math.min(1440, sessionMaxHours * 60)} with SESSION_MAX_HOURS=${sessionMaxHours}. ${problem}`,
    );
}

/** @throws StartupError when two addresses name the same server. */
function assertReplicas(databaseUrl: string | null, readUrls: readonly string[]): void {
  if (readUrls.length === 0) return;
  if (databaseUrl === null)
    throw new StartupError(
      'DATABASE_READ_URLS needs DATABASE_URL: the embedded database has no read replicas.',
    );
  const addresses = new Set([serverAddress(databaseUrl)]);
  for (const address of readUrls.map(serverAddress)) {
    if (addresses.has(address))
      throw new StartupError(
        `DATABASE_READ_URLS names ${address} again, which is the server in DATABASE_URL or an earlier replica. Name each read replica once.`,
      );
    addresses.add(address);
  }
}

function resolveMirror(text: string, workingFolder: string): string {
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return text.replace(/\/+$/, '');
  const folder = resolve(workingFolder, text);
  if (!existsSync(folder))
    throw new StartupError(
      `FEED_MIRROR must be an http(s) address or a folder that exists. ${folder} does not exist.`,
    );
  return folder;
}
