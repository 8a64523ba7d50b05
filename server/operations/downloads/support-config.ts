/** The configuration in a support bundle: secrets are only shown as set. */
import type { Config } from '../../platform/config/config.ts';
import { mask, readPassword } from './masked-secrets.ts';

export interface SupportConfig {
  /** The shown values. */
  readonly shown: Readonly<Record<string, unknown>>;
  /** Secrets, to be masked wherever they occur. */
  readonly secrets: readonly (string | null)[];
}

const set = (value: string | null) => (value === null ? null : mask);

/** Lists each value, so that a value added later stays hidden until someone decides to show it. */
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
      databaseUrl: addressWithoutSecrets(databaseUrl),
      databaseReadUrls: databaseReadUrls.map(addressWithoutSecrets),
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
      channelTargets: config.channelTargets,
      drainSeconds: config.drainSeconds,
    },
    secrets: [
      adminPassword,
      secretKey,
      metricsToken,
      ...[databaseUrl, ...databaseReadUrls, feedMirror, baseUrl].map(readPassword),
    ],
  };
}

/** Returns scheme, host, port and database. */
function addressWithoutSecrets(url: string | null): string | null {
  if (url === null) return null;
  if (!URL.canParse(url)) return mask;
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
