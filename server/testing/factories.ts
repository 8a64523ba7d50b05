/** Builds parts for tests of routes: an application on a database, users, sessions and licensed clients. */
import { randomBytes } from 'node:crypto';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import type { ClientEntry } from '@patch/contract/licensing/licensed-client-endpoints.ts';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '../app.ts';
import { createUser } from '../identity/accounts/user-store.ts';
import { addRun, endRun, type RunEnd, takeRun } from '../ingest/runs/run-store.ts';
import { nothingNew } from '../ingest/testing/nothing-new.ts';
import type { Database, Queryable } from '../platform/database/database.ts';
import { createLog } from '../platform/logging/logging.ts';
import { secretBox } from '../platform/secrets/secret-box.ts';
import type { AppParts } from '../service/app-parts.ts';

/** The password of every built user. */
export const password = 'Correct-Horse-7';
/** The hash of `password` at the lowest cost of argon2id. A check uses the cost of the hash, so that sign-ins are cheap. */
export const passwordHash =
  '$argon2id$v=19$m=8,t=1,p=1$ZmFjdG9yeSBvZiB0ZXN0cw$k2fzsfxe8o7jMpLgDrJVjGAhPI8Gn4f6OXVeF2P/Ip0';

const day = 24 * 3_600_000;

type NewUser = Parameters<typeof createUser>[1];
type UserFields = Partial<NewUser> & Pick<NewUser, 'name'>;

/** Creates a user and returns the id. */
export function buildUser(database: Queryable, fields: UserFields): Promise<number> {
  return createUser(database, {
    email: `${fields.name}@Example.org`,
    userType: 'Standard',
    passwordHash,
    mustChangePassword: false,
    createdTime: 0,
    ...fields,
  });
}

/** Creates the administrator Operator and the standard user Stan. */
export async function buildUsers(
  database: Queryable,
  fields: Partial<NewUser> = {},
): Promise<void> {
  await buildUser(database, { name: 'Operator', userType: 'Admin', ...fields });
  await buildUser(database, { name: 'Stan', ...fields });
}

export const appConfig: AppParts['config'] = {
  databaseUrl: null,
  baseUrl: 'https://patch.example.org',
  trustProxy: 'loopback',
  sessionIdleMinutes: 30,
  sessionMaxHours: 12,
  mailTargets: ['localhost', '127.0.0.1'],
  channelTargets: ['127.0.0.1'],
  checkReplies: true,
  feedMirror: null,
};

/** A configuration without overrides of settings by the environment. */
export const configWithoutOverrides: AppParts['config'] = {
  ...appConfig,
  baseUrl: null,
  sessionIdleMinutes: null,
  sessionMaxHours: null,
};

type AppFields = Partial<Omit<AppParts, 'config'>> & {
  readonly database: Database;
  readonly config?: Partial<AppParts['config']>;
};

/** Opens the complete application without syncs. `parts` override its defaults. */
export function openApp({ config, ...parts }: AppFields): Promise<FastifyInstance> {
  const noSync = () => Promise.reject(new Error('Nothing is synced here'));
  return buildApp({
    box: secretBox(randomBytes(32)),
    log: createLog('trace', { write: () => undefined }),
    sync: { start: noSync, cancel: noSync },
    ...parts,
    config: { ...appConfig, ...config },
  });
}

/** Signs in a user with the factory's password, and returns the token of the session. */
export async function signIn(app: FastifyInstance, username: string): Promise<string> {
  const reply = await app.inject({
    method: 'POST',
    url: '/api/authenticate',
    headers: { 'x-forwarded-for': '192.0.2.1' },
    payload: { username, password },
  });
  return String(reply.json<Readonly<Record<string, unknown>>>()['token']);
}

/** Builds the email configuration of a request. */
export const buildEmailConfig = <Fields extends object>(fields: Fields) => ({
  server: 'localhost',
  port: 25,
  protocol: 'smtp' as const,
  securityType: 'none' as const,
  email: 'patch@example.org',
  password: '',
  replyToEmail: '',
  toEmailId: '',
  senderName: 'Patch Repository',
  ...fields,
});

/** Adds an ended run of the source, by default without changes, and returns its id. */
export async function addEndedRun(
  database: Database,
  source: SourceKey,
  now: number,
  end: Partial<RunEnd> = {},
): Promise<number> {
  const id = (await addRun(database, source, 'schedule', now))?.id ?? 0;
  await takeRun(database, id, now);
  const counts = { added: 0, changed: 0, withdrawn: 0, unchanged: 0, rejected: 0 };
  const ended = { ...counts, state: 'succeeded', message: nothingNew, warnings: [] } as const;
  await endRun(database, id, { ...ended, ...end }, now + 1);
  return id;
}

/** Builds a queued download. */
export const buildJob = <Fields extends object>(fields: Fields) => ({
  kind: 'logs' as const,
  place: 'elsewhere',
  about: '',
  askedBy: 'Operator',
  fileName: 'file',
  options: {},
  ...fields,
});

/** Builds the entry of a licensed client. */
export const buildClient = (now: number, fields: Partial<ClientEntry> = {}): ClientEntry => ({
  clientName: 'North Hospital',
  licenseType: 'subscription',
  licenseExpiry: now + 300 * day,
  deploymentMode: 'standalone',
  environment: 'production',
  technicianLicence: 'named',
  technicians: 4,
  itAssets: 500,
  nonItAssets: 20,
  endPoints: 450,
  families: ['almaLinux', 'debian'],
  contactEmail: 'it@north.example',
  notes: 'Second floor.\nRing twice.',
  ...fields,
});
