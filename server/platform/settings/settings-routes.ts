/** Routes of the settings and the password policy. */

import { aboutEndpoint } from '@patch/contract/operations/about-endpoint.ts';
import type {
  GeneralSettings,
  SettingsReply,
} from '@patch/contract/operations/settings-endpoints.ts';
import {
  provenSettings,
  savePasswordPolicyEndpoint,
  saveSettingsEndpoint,
  sessionTimesProblem,
  settingsEndpoint,
} from '@patch/contract/operations/settings-endpoints.ts';
import type { Database } from '../database/database.ts';
import { AppError } from '../errors/app-error.ts';
import type { RouteRegistrar } from '../http/route.ts';
import { withoutCredentials } from '../secrets/without-credentials.ts';
import type { LiveSettings } from './live-settings.ts';
import { lockSettings, readPasswordPolicy, writeSetting } from './settings-store.ts';

interface SettingsParts {
  readonly database: Database;
  readonly settings: Omit<LiveSettings, 'stop'>;
}

interface PublicFacts {
  /** Returns true when a mail server is configured. */
  readonly sendsMail: () => Promise<boolean>;
}

export function settingsRoutes(
  route: RouteRegistrar,
  { database, settings }: SettingsParts,
  { sendsMail }: PublicFacts,
): void {
  const reply = (): SettingsReply => ({
    settings: toShown(settings.current()),
    fixed: settings.fixed,
  });

  route(settingsEndpoint, async () => reply());

  route(saveSettingsEndpoint, async ({ body, changed, requireProof }) => {
    if (provenSettings.some((name) => body[name] !== undefined)) requireProof();
    const given = Object.fromEntries(
      Object.entries(body).filter(([, value]) => value !== undefined),
    ) as Partial<GeneralSettings>;
    for (const [name, variable] of Object.entries(settings.fixed)) {
      if (name in given)
        throw new AppError(
          'settled_by_environment',
          `${name} is set by the environment variable ${variable}; change it there.`,
        );
    }
    // One of them may be of the environment, which fits no saved value of the other.
    const times = sessionTimesProblem({ ...settings.current(), ...given });
    if (times !== null && ('sessionIdleMinutes' in given || 'sessionMaxHours' in given))
      throw new AppError('idle_beyond_session', times);
    const { before, after } = await settings.change(given);
    changed({
      subject: 'settings',
      before: pickChanged(before, after),
      after: pickChanged(after, before),
    });
    return reply();
  });

  route(savePasswordPolicyEndpoint, async ({ body, changed }) => {
    const before = await database.transaction(async (tx) => {
      await lockSettings(tx);
      const previous = await readPasswordPolicy(tx);
      await writeSetting(tx, 'password_policy', body);
      return previous;
    });
    changed({ subject: 'password policy', before, after: body });
    return body;
  });

  route(aboutEndpoint, async () => {
    const { name, timeZone } = settings.current();
    return { name, timeZone, sendsMail: await sendsMail() };
  });
}

/** Removes the password of the environment's mirror. */
function toShown(settings: GeneralSettings): GeneralSettings {
  return settings.feedMirror === null
    ? settings
    : { ...settings, feedMirror: withoutCredentials(settings.feedMirror) };
}

const pickChanged = (of: GeneralSettings, compared: GeneralSettings) =>
  Object.fromEntries(
    Object.entries(of).filter(([name, value]) => value !== compared[name as keyof GeneralSettings]),
  );
