/** What an administrator sets for the whole service. Environment variables may fix some of these settings. */
import { z } from 'zod';
import { isTimeZone } from './dates/time-zone.ts';
import { defineEndpoint } from './endpoint.ts';
import { PasswordPolicy } from './form-rules/password-rules.ts';
import { noBody, noParams, noQuery } from './no-input.ts';
import { isPlainText } from './plain-text.ts';

const wholeNumber = (least: number, most: number) => {
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
  // Paths are added at its end.
  .refine(
    (address) => isPlainText(address) && !/[\s?#]/.test(address),
    'must not contain spaces, ? or #',
  )
  .transform((address) => address.replace(/\/+$/, ''));

export const secondFactorGroups = ['nobody', 'administrators', 'everybody'] as const;

export const GeneralSettings = z.object({
  /** Of this installation; in the console's title and in mails. */
  name: z
    .string()
    .trim()
    .min(1, 'is required')
    .max(60, 'must be at most 60 characters long')
    .refine(isPlainText, 'must be one line'),
  /** Where people find the console, for links in mails; null: where the service listens. */
  baseUrl: httpAddress.nullable(),
  /** IANA name, for users without one of their own; null: each browser's. */
  timeZone: z.string().refine(isTimeZone, 'must be a time zone such as Europe/Istanbul').nullable(),
  sessionIdleMinutes: wholeNumber(1, 1440),
  sessionMaxHours: wholeNumber(1, 720),
  /** Who must have a second factor to go on after signing in with a password. An identity provider asks for its own. */
  secondFactorRequired: z.enum(secondFactorGroups),
  /** Where the vendors are read from, below which a document lies as host/path; null: from themselves. */
  feedMirror: httpAddress.nullable(),
  /** Of each source. */
  runsKept: wholeNumber(10, 10_000),
  mailsKeptDays: wholeNumber(1, 3650),
  auditKeptDays: wholeNumber(30, 3650),
  downloadsKeptDays: wholeNumber(1, 365),
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

/**
 * Settings that protect accounts or the records about their use: where links in emails lead, who needs a second factor,
 * how long sessions and audit entries last. Only a person who has proved who they are sets them; no API key does.
 */
export const provenSettings = [
  'baseUrl',
  'secondFactorRequired',
  'sessionIdleMinutes',
  'sessionMaxHours',
  'auditKeptDays',
] as const satisfies readonly GeneralSetting[];

const SettingsReply = z.object({
  /** As they hold now. */
  settings: GeneralSettings.omit({ feedMirror: true }).extend({
    feedMirror: z.string().nullable(),
  }),
  /** What the environment settles, each with its variable; saving changes nothing about it. */
  fixed: z.partialRecord(
    z.enum(Object.keys(defaultSettings) as [GeneralSetting, ...GeneralSetting[]]),
    z.string(),
  ),
});
export type SettingsReply = z.infer<typeof SettingsReply>;

export const settingsEndpoint = defineEndpoint({
  name: 'settings',
  summary: 'The settings of the service',
  tag: 'Settings',
  method: 'GET',
  path: '/settings',
  access: 'admin',
  scope: 'manage',
  params: noParams,
  query: noQuery,
  body: noBody,
  reply: SettingsReply,
});

export const saveSettingsEndpoint = defineEndpoint({
  name: 'save_settings',
  summary: `Change the settings. ${provenSettings.join(', ')} require a recent proof of identity and cannot be set with an API key`,
  tag: 'Settings',
  method: 'PUT',
  path: '/settings',
  access: 'admin',
  scope: 'manage',
  params: noParams,
  query: noQuery,
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
  params: noParams,
  query: noQuery,
  body: PasswordPolicy.extend({ minLength: wholeNumber(8, 64) }),
  reply: PasswordPolicy,
});
