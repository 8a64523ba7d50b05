/** The configuration as a support bundle shows it: secrets are only shown as set. */
import type { Config } from '../../platform/config/config.ts';
import { mask, passwordIn } from './masked-secrets.ts';

export interface SupportConfig {
  /** The shown values. */
  readonly shown: Readonly<Record<string, unknown>>;
  /** Secrets, to be removed wherever they occur. */
  readonly secrets: readonly (string | null)[];
}

const set = (value: string | null) => (value === null ? null : mask);

/** Each value is listed: a value added by a later version stays hidden until someone has considered it. */
export function supportConfig(config: Config): SupportConfig {
  const {
    adminPassword,
    secretKey,
    metricsToken,
    databaseUrl,
    databaseReadUrls,
    feedMirror,
    baseUrl,
  } = config;
  return {
    shown: {
      port: config.port,
      host: config.host,
      dataDir: config.dataDir,
      databaseUrl: addressOf(databaseUrl),
      databaseReadUrls: databaseReadUrls.map(addressOf),
      postgresSettings: config.postgresSettings,
      adminEmail: set(config.adminEmail),
      adminPassword: set(adminPassword),
      feedMirror,
      baseUrl,
      secretKey: set(secretKey),
      role: config.role,
      sessionIdleMinutes: config.sessionIdleMinutes,
      sessionMaxHours: config.sessionMaxHours,
      logLevel: config.logLevel,
      trustProxy: config.trustProxy,
      downloadsGigabytes: config.downloadsGigabytes,
      searchMemoryMegabytes: config.searchMemoryMegabytes,
      machinesKeptDays: config.machinesKeptDays,
      metricsToken: set(metricsToken),
      mailTargets: config.mailTargets,
      drainSeconds: config.drainSeconds,
    },
    secrets: [
      adminPassword,
      secretKey,
      metricsToken,
      ...[databaseUrl, ...databaseReadUrls, feedMirror, baseUrl].map(passwordIn),
    ],
  };
}

/** Host, port and database. */
function addressOf(url: string | null): string | null {
  if (url === null) return null;
  if (!URL.canParse(url)) return mask;
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
