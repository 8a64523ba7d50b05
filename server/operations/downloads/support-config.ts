/** The configuration in a support bundle: secrets are only shown as set. */
import type { Config } from '../../platform/config/config.ts';

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
    publishedAt,
    publishKeyId,
    publishSecretKey,
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
      publishTo: config.publishTo,
      publishedAt: addressWithoutSecrets(publishedAt),
      publishKeyId: set(publishKeyId),
      publishSecretKey: set(publishSecretKey),
    },
    secrets: [
      adminPassword,
      secretKey,
      metricsToken,
      publishKeyId,
      publishSecretKey,
      ...[databaseUrl, ...databaseReadUrls, feedMirror, baseUrl, publishedAt].map(readPassword),
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

export const mask = '•••';

/** Masking shorter secrets would hide unrelated words. */
const shortest = 4;

export type Masking = (text: string) => string;

export function createMasking(secrets: readonly (string | null)[]): Masking {
  const written = secrets.flatMap((secret) =>
    secret === null || secret.length < shortest ? [] : spellings(secret),
  );
  // The longest first: one may contain another.
  const known = [...new Set(written)].toSorted((a, b) => b.length - a.length);
  return (text) => {
    let masked = text;
    for (const secret of known) masked = masked.replaceAll(secret, mask);
    return masked.replace(/(:\/\/)[^/\s"'@]+@/g, `$1${mask}@`);
  };
}

/** Returns the secret as it is, in an address, and inside JSON. */
function spellings(secret: string): string[] {
  return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
}

/** Returns the password of an address, also from a query parameter as databases use; null when it has none. */
export function readPassword(address: string | null): string | null {
  if (address === null || !URL.canParse(address)) return null;
  const { password, searchParams } = new URL(address);
  if (password === '') return searchParams.get('password');
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}
