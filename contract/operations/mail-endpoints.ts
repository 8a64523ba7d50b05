/** Outgoing mail: its configuration, and a test that reports each stage. */
import { z } from 'zod';
import { PageQuery } from '../base/common-schemas.ts';
import { defineEndpoint } from '../base/endpoint.ts';
import { isPlainText } from '../base/plain-text.ts';
import { brokenRule } from '../form-rules/form-rule.ts';
import { domain, ip } from '../form-rules/network-rules.ts';
import { isEmail } from '../form-rules/text-rules.ts';

export const mailProtocols = ['smtp'] as const;

/**
 * `none`: never encrypted. `starttls`: encrypted before anything else is sent, or not sent at all. `tls`: encrypted from the
 * beginning.
 */
export const mailSecurityTypes = ['none', 'starttls', 'tls'] as const;

const address = z.string().max(254).refine(isEmail, 'must be a valid email');

/** Accepts a domain name, an IP address, or a host name without dots. */
function isHost(host: string): boolean {
  return (
    /^[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/i.test(host) ||
    brokenRule(host, '', [ip]) === null ||
    brokenRule(host, '', [domain]) === null
  );
}

export const maxRecipients = 50;

export const EmailConfig = z.strictObject({
  server: z
    .string()
    .trim()
    .min(1, 'is required')
    .max(253)
    .refine(isHost, 'must be a host name or an IP address'),
  port: z.number().int().min(1, 'must be 65535 or less').max(65_535, 'must be 65535 or less'),
  protocol: z.enum(mailProtocols),
  securityType: z.enum(mailSecurityTypes),
  /** The sender, and the user name of the login when there is a password. */
  email: address,
  /** Absent: the stored password, valid only for the same server and sender. Empty: no password, no login. Never returned. */
  password: z.string().max(1024).optional(),
  replyToEmail: z.string().refine((text) => text === '' || isEmail(text), 'must be a valid email'),
  /** Addresses joined by commas that receive notifications and the test email. */
  toEmailId: z
    .string()
    .max(15_000)
    .refine((list) => parseAddresses(list).every(isEmail), 'must be valid emails joined by commas')
    .refine(
      (list) => parseAddresses(list).length <= maxRecipients,
      `may have at most ${maxRecipients} addresses`,
    ),
  /** Line breaks in it could inject headers into an email. */
  senderName: z
    .string()
    .trim()
    .max(100, 'Size of Sender Name must be less than 100.')
    .refine(isPlainText, 'must be one line'),
});
export type EmailConfig = z.infer<typeof EmailConfig>;

/** Splits the list of the interface. */
export function parseAddresses(toEmailId: string): readonly string[] {
  return toEmailId
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

export const KnownEmailConfig = EmailConfig.omit({ password: true }).extend({
  passwordSet: z.boolean(),
});
export type KnownEmailConfig = z.infer<typeof KnownEmailConfig>;

/** In order; stages after a failed one were not tried. */
export const mailStages = ['resolve', 'connect', 'tls', 'greeting', 'login', 'accept'] as const;
export type MailStage = (typeof mailStages)[number];

export const MailStageResult = z.object({
  stage: z.enum(mailStages),
  outcome: z.enum(['passed', 'failed', 'skipped']),
  /** The findings: the address, the certificate's issuer and days left, the server's own words. */
  words: z.string(),
  /** The suggested action; empty unless the stage failed. */
  advice: z.string(),
});
export type MailStageResult = z.infer<typeof MailStageResult>;

export const MailTest = z.object({
  success: z.boolean(),
  message: z.enum(['Connected Successfully.', 'Unable to connect with provided details.']),
  stages: z.array(MailStageResult),
  testedAt: z.number().describe('Epoch milliseconds'),
});
export type MailTest = z.infer<typeof MailTest>;

const admins = { tag: 'Mail', access: 'admin', scope: 'manage' } as const;

export const emailConfigEndpoint = defineEndpoint({
  ...admins,
  name: 'email_config',
  summary: 'The email configuration; null until it is set',
  method: 'GET',
  path: '/emailconfig',
  reply: KnownEmailConfig.nullable(),
});

export const lastEmailTestEndpoint = defineEndpoint({
  ...admins,
  name: 'last_email_test',
  summary: 'The result of the last test of outgoing email; null before the first',
  method: 'GET',
  path: '/emailconfig/lasttest',
  reply: MailTest.nullable(),
});

export const saveEmailConfigEndpoint = defineEndpoint({
  name: 'save_email_config',
  summary: 'Set the email configuration',
  tag: 'Mail',
  method: 'POST',
  path: '/emailconfig',
  access: 'admin',
  // Links that reset passwords are sent through this server.
  reauthenticates: true,
  body: EmailConfig,
  reply: z.object({
    message: z.literal('email server configuration saved'),
    config: KnownEmailConfig,
  }),
});

export const testEmailConfigEndpoint = defineEndpoint({
  ...admins,
  name: 'test_email_config',
  summary: 'Test a configuration without saving it: sends an email to its recipients',
  method: 'POST',
  path: '/emailconfig/testconnection',
  body: EmailConfig,
  reply: MailTest,
});

export const MailDelivery = z.object({
  id: z.number().int(),
  /** The purpose: 'Password reset'. */
  kind: z.string(),
  recipient: z.string(),
  subject: z.string(),
  state: z.enum(['queued', 'sent', 'failed']),
  attempts: z.number().int(),
  lastError: z.string(),
  queuedAt: z.number(),
  /** When it was sent or given up. */
  endedAt: z.number().nullable(),
});
export type MailDelivery = z.infer<typeof MailDelivery>;

export const mailDeliveriesEndpoint = defineEndpoint({
  ...admins,
  name: 'mail_deliveries',
  summary: 'Emails that were sent, are waiting or could not be sent, newest first',
  method: 'GET',
  path: '/emailconfig/deliveries',
  query: PageQuery,
  reply: z.object({ objList: z.array(MailDelivery), totalCount: z.number().int() }),
});
