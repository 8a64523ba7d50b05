/** The configuration as a support bundle shows it: what is secret is only said to be set. */
import type { Config } from '../config.ts';
import { mask, passwordIn } from './masked-secrets.ts';

export interface SupportConfig {
  /** To be shown. */
  readonly shown: Readonly<Record<string, unknown>>;
  /** To be taken out wherever they should stand. */
  readonly secrets: readonly (string | null)[];
}

const set = (value: string | null) => (value === null ? null : mask);

/** Each is named: what a later version adds is not shown before somebody has thought about it. */
export function supportConfig(config: Config): SupportConfig {
  const { adminPassword, secretKey, metricsToken, databaseUrl, feedMirror, baseUrl } = config;
  return {
    shown: {
      port: config.port,
      host: config.host,
      dataDir: config.dataDir,
      databaseUrl: addressOf(databaseUrl),
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
      metricsToken: set(metricsToken),
      mailTargets: config.mailTargets,
      drainSeconds: config.drainSeconds,
    },
    secrets: [adminPassword, secretKey, metricsToken, ...[databaseUrl, feedMirror, baseUrl].map(passwordIn)],
  };
}

/** Host, port and database. */
function addressOf(url: string | null): string | null {
  if (url === null) return null;
  if (!URL.canParse(url)) return mask;
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
