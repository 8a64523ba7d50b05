/** The service's settings. Environment variables may fix some of them. */
import { z } from 'zod';
import { defineEndpoint } from '../base/endpoint.ts';
import { isPlainText } from '../base/plain-text.ts';
import { isTimeZone } from '../dates/time-zone.ts';
import { PasswordPolicy } from '../form-rules/password-rules.ts';

const integerBetween = (least: number, most: number) => {
  const words = `must be a whole number from ${least} to ${most}`;
  return z.number(words).int(words).min(least, words).max(most, words);
};

const httpAddress = z
  .url({
    protocol: /^https?$/,
    error: 'must be an http(s) address such as https://patch.example.org',
  })
  .max(500, 'must be at most 500 characters long')
  .refine(
    (address) => !/^https?:\/\/[^/]*@/i.test(address),
    'must not contain a password; set an address with a password in the environment',
  )
  // Paths are appended to it.
  .refine(
    (address) => isPlainText(address) && !/[\s?#]/.test(address),
    'must not contain spaces, ? or #',
  )
  .transform((address) => address.replace(/\/+$/, ''));

export const secondFactorGroups = ['nobody', 'administrators', 'everybody'] as const;

export const GeneralSettings = z.object({
  /** Name of this installation, in the console's title and in emails. */
  name: z
    .string()
    .trim()
    .min(1, 'is required')
    .max(60, 'must be at most 60 characters long')
    .refine(isPlainText, 'must be one line'),
  /** Address of the console, for links in emails; null for the address on which the service listens. */
  baseUrl: httpAddress.nullable(),
  /** IANA name for users without their own time zone; null for each browser's. */
  timeZone: z.string().refine(isTimeZone, 'must be a time zone such as Europe/Istanbul').nullable(),
  sessionIdleMinutes: integerBetween(1, 1440),
  sessionMaxHours: integerBetween(1, 720),
  /** Who must use a second factor after signing in with a password. Identity providers request their own. */
  secondFactorRequired: z.enum(secondFactorGroups),
  /** The mirror of the vendors, which has a document at host/path; null for the vendors themselves. */
  feedMirror: httpAddress.nullable(),
  /** Runs per source. */
  runsKept: integerBetween(10, 10_000),
  mailsKeptDays: integerBetween(1, 3650),
  auditKeptDays: integerBetween(30, 3650),
  downloadsKeptDays: integerBetween(1, 365),
});
export type GeneralSettings = z.output<typeof GeneralSettings>;
export type GeneralSetting = keyof GeneralSettings;

export const defaultSettings: GeneralSettings = {
  name: 'Patch Repository',
  baseUrl: null,
  timeZone: null,
  sessionIdleMinutes: 30,
  sessionMaxHours: 12,
  secondFactorRequired: 'nobody',
  feedMirror: null,
  runsKept: 400,
  mailsKeptDays: 90,
  auditKeptDays: 400,
  downloadsKeptDays: 7,
};

/** Returns why sessions cannot be idle for so long; null when they can. */
export const sessionTimesProblem = ({
  sessionIdleMinutes: idle,
  sessionMaxHours: maxHours,
}: Pick<GeneralSettings, 'sessionIdleMinutes' | 'sessionMaxHours'>): string | null =>
  idle > maxHours * 60
    ? `A session ends after ${maxHours} hours at the latest: it cannot be idle for ${idle} minutes.`
    : null;

/**
 * Settings that protect accounts or the records of their use: the target of links in emails, who needs a second factor, and how
 * long sessions and audit entries last. Only a person who has proved their identity may set them; API keys may not.
 */
export const provenSettings = [
  'baseUrl',
  'secondFactorRequired',
  'sessionIdleMinutes',
  'sessionMaxHours',
  'auditKeptDays',
] as const satisfies readonly GeneralSetting[];

const SettingsReply = z.object({
  /** The current values. */
  settings: GeneralSettings.omit({ feedMirror: true }).extend({
    feedMirror: z.string().nullable(),
  }),
  /** Settings that the environment fixes, each with its variable; saving does not change them. */
  fixed: z.partialRecord(
    z.enum(Object.keys(defaultSettings) as [GeneralSetting, ...GeneralSetting[]]),
    z.string(),
  ),
});
export type SettingsReply = z.infer<typeof SettingsReply>;

const admins = { tag: 'Settings', access: 'admin', scope: 'manage' } as const;

export const settingsEndpoint = defineEndpoint({
  ...admins,
  name: 'settings',
  summary: 'The settings of the service',
  method: 'GET',
  path: '/settings',
  reply: SettingsReply,
});

export const saveSettingsEndpoint = defineEndpoint({
  ...admins,
  name: 'save_settings',
  summary: `Change the settings. ${provenSettings.join(', ')} require a recent proof of identity and cannot be set with an API key`,
  method: 'PUT',
  path: '/settings',
  body: GeneralSettings.partial().strict(),
  reply: SettingsReply,
});

export const savePasswordPolicyEndpoint = defineEndpoint({
  name: 'save_password_policy',
  summary: 'Set the password policy; existing passwords remain valid',
  tag: 'Settings',
  method: 'PUT',
  path: '/user/passwordpolicy',
  access: 'admin',
  reauthenticates: true,
  body: PasswordPolicy.extend({ minLength: integerBetween(8, 64) }),
  reply: PasswordPolicy,
});
