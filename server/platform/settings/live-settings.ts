/**
 * The current settings in memory. The environment overrides saved settings. A change by another process applies as soon as it is
 * committed.
 */
import type {
  GeneralSetting,
  GeneralSettings,
} from '@patch/contract/operations/settings-endpoints.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/database.ts';
import type { Notifications } from '../database/notifications.ts';
import { lockSettings, readSettings, writeSettings } from './settings-store.ts';

export type FixedByEnvironment = Pick<
  Config,
  'baseUrl' | 'feedMirror' | 'sessionIdleMinutes' | 'sessionMaxHours'
>;

const variables = {
  baseUrl: 'BASE_URL',
  feedMirror: 'FEED_MIRROR',
  sessionIdleMinutes: 'SESSION_IDLE_MINUTES',
  sessionMaxHours: 'SESSION_MAX_HOURS',
} as const satisfies { readonly [Name in keyof FixedByEnvironment]: string };

export type LiveSettings = Awaited<ReturnType<typeof liveSettings>>;

export interface LiveSettingsParts {
  readonly database: Database;
  readonly config: FixedByEnvironment;
  readonly notifications: Notifications;
  readonly onError: (error: unknown) => void;
}

export async function liveSettings({
  database,
  config,
  notifications,
  onError,
}: LiveSettingsParts) {
  const overrides = readOverrides(config);
  let current: GeneralSettings = { ...(await readSettings(database)), ...overrides };
  const stop = notifications.subscribe(['settings'], () => {
    readSettings(database).then((saved) => {
      current = { ...saved, ...overrides };
    }, onError);
  });
  const fixed: Readonly<Partial<Record<GeneralSetting, string>>> = Object.fromEntries(
    Object.keys(overrides).map((name) => [name, variables[name as keyof FixedByEnvironment]]),
  );
  return {
    current: () => current,
    fixed,
    /** Saves the given settings and leaves the others unchanged. */
    change: (given: Partial<GeneralSettings>) =>
      database.transaction(async (tx) => {
        await lockSettings(tx);
        const saved = await readSettings(tx);
        const next = { ...saved, ...given };
        await writeSettings(tx, next);
        current = { ...next, ...overrides };
        return { before: { ...saved, ...overrides }, after: current };
      }),
    stop,
  };
}

function readOverrides(config: FixedByEnvironment): Partial<GeneralSettings> {
  const given = Object.keys(variables).filter(
    (name) => config[name as keyof FixedByEnvironment] !== null,
  );
  return Object.fromEntries(given.map((name) => [name, config[name as keyof FixedByEnvironment]]));
}
