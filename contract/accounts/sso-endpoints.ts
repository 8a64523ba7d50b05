/**
 * Signing in with an identity provider (OpenID Connect): its configuration and test, and the browser's redirects. They end at
 * `/login?sso=<ticket>`; the console exchanges the ticket by `POST /authenticate` with loginType `sso`.
 */
import { z } from 'zod';
import { plainLine } from '../base/common-schemas.ts';
import { defineEndpoint } from '../base/endpoint.ts';
import { isPlainText, plainTextRule } from '../base/plain-text.ts';
import { isDomain } from '../form-rules/network-rules.ts';

/** Accepts unencrypted addresses only for this machine, for tests. */
export function isIssuer(text: string): boolean {
  // URL parsing ignores line breaks, which would be stored.
  if (!URL.canParse(text) || !isPlainText(text)) return false;
  const { protocol, hostname, pathname, username, search, hash } = new URL(text);
  if (username !== '' || search !== '' || hash !== '' || pathname.includes('/.well-known/'))
    return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

const isLoopback = (hostname: string) => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);

export const issuerRule =
  'must be the https address before /.well-known/, such as https://login.example.org';

const isWords = (scopes: string) => isPlainText(scopes.replaceAll(/\s/g, ' '));
const namesScope = (scopes: string) => scopes.split(/\s+/).includes('openid');

export const maxDomains = 100;

export const SsoConfig = z.strictObject({
  /** False stores the configuration without offering it at sign-in. */
  enabled: z.boolean(),
  /** Label of the button: 'Sign in with …'. */
  label: plainLine(60),
  issuer: z.string().trim().max(500).refine(isIssuer, issuerRule),
  clientId: plainLine(255),
  /**
   * Absent: the stored secret, valid only for the same issuer and client. Empty: no secret, as for a public client. Never
   * returned.
   */
  clientSecret: z.string().max(1024).optional(),
  /** Separated by spaces. */
  scopes: z
    .string()
    .trim()
    .max(500)
    .refine(namesScope, "must contain 'openid'")
    .refine(isWords, plainTextRule),
  /** The claim with the name of a user who is created at the first sign-in. */
  nameClaim: z
    .string()
    .trim()
    .regex(/^[\w:/.-]{1,100}$/, 'must be the name of a claim, such as preferred_username'),
  /** Domains of verified email addresses; empty accepts any address, or none. */
  allowedDomains: z
    .array(
      z.string().trim().toLowerCase().refine(isDomain, 'must be a domain, such as example.org'),
    )
    .max(maxDomains, `may have at most ${maxDomains} domains`),
  /** Creates an account of type Standard for unknown users; otherwise they are refused. */
  createUsers: z.boolean(),
  /** Signs users in to the account with the same verified email address. */
  linkByEmail: z.boolean(),
});
export type SsoConfig = z.infer<typeof SsoConfig>;

export const KnownSsoConfig = SsoConfig.omit({ clientSecret: true }).extend({
  clientSecretSet: z.boolean(),
});
export type KnownSsoConfig = z.infer<typeof KnownSsoConfig>;

const redirectUri = z.string().describe('The redirect URI to register with the identity provider');

const admins = { tag: 'Single sign-on', access: 'admin', scope: 'manage' } as const;
const visitors = { tag: 'Single sign-on', access: 'public' } as const;

export const ssoConfigEndpoint = defineEndpoint({
  ...admins,
  name: 'sso_config',
  summary: 'The single sign-on configuration; null until it is set',
  method: 'GET',
  path: '/ssoconfig',
  reply: z.object({ config: KnownSsoConfig.nullable(), redirectUri }),
});

export const saveSsoConfigEndpoint = defineEndpoint({
  name: 'save_sso_config',
  summary: 'Set the single sign-on configuration',
  tag: 'Single sign-on',
  method: 'POST',
  path: '/ssoconfig',
  access: 'admin',
  reauthenticates: true,
  body: SsoConfig,
  reply: z.object({
    message: z.literal('single sign-on configuration saved'),
    config: KnownSsoConfig,
  }),
});

/** In order; stages after a failed one were not tried. */
export const ssoStages = ['discovery', 'abilities', 'keys', 'client'] as const;
export type SsoStage = (typeof ssoStages)[number];

export const SsoStageResult = z.object({
  stage: z.enum(ssoStages),
  outcome: z.enum(['passed', 'failed', 'skipped']),
  words: z.string(),
  /** The suggested action; empty unless the stage failed. */
  advice: z.string(),
});
export type SsoStageResult = z.infer<typeof SsoStageResult>;

export const SsoTest = z.object({ success: z.boolean(), stages: z.array(SsoStageResult) });
export type SsoTest = z.infer<typeof SsoTest>;

export const testSsoConfigEndpoint = defineEndpoint({
  ...admins,
  name: 'test_sso_config',
  summary: 'Test a configuration without saving it: reads the metadata of the identity provider',
  method: 'POST',
  path: '/ssoconfig/test',
  body: SsoConfig,
  reply: SsoTest,
});

export const ssoStatusEndpoint = defineEndpoint({
  ...visitors,
  name: 'sso_status',
  summary: 'Whether single sign-on is offered',
  method: 'GET',
  path: '/sso/status',
  reply: z.object({ enabled: z.boolean(), label: z.string() }),
});

/** Invalid values are ignored rather than refused, because a person sees the reply in the browser. */
const given = z.string().max(4096).optional().catch(undefined);

export const startSsoEndpoint = defineEndpoint({
  ...visitors,
  name: 'start_sso',
  summary: 'Redirect the browser to the identity provider',
  method: 'GET',
  path: '/sso/start',
  rateLimit: { perMinute: 120 },
  status: 302,
  query: z.object({
    redirectFrom: z
      .string()
      .max(2000)
      .optional()
      .catch(undefined)
      .describe('The page of the console to open afterwards'),
    fresh: z
      .literal('true')
      .optional()
      .catch(undefined)
      .describe('Ask the identity provider to request a new sign-in'),
  }),
  reply: z.null(),
});

export const ssoCallbackEndpoint = defineEndpoint({
  ...visitors,
  name: 'sso_callback',
  summary: 'The callback of the identity provider; redirects to the login page',
  method: 'GET',
  path: '/sso/callback',
  once: true,
  rateLimit: { perMinute: 120 },
  status: 302,
  query: z.object({
    code: given,
    state: given,
    iss: given,
    error: given,
    error_description: given,
  }),
  reply: z.null(),
});

/** Texts for failed sign-ins, by the code in `/login?ssoError=<code>`: a text in the address could be written by anybody. */
export const ssoFailures = {
  off: 'Single sign-on is not enabled. Sign in with your password.',
  unreachable:
    'The identity provider is currently unavailable. Try again later, or sign in with your password.',
  over: 'Sign-in took too long, or was started in another window. Start again.',
  denied: 'The identity provider refused the sign-in. Start again, or ask an administrator.',
  notFresh:
    'The identity provider did not ask you to sign in again. Sign out there, then try again.',
  unproven:
    'The answer of the identity provider could not be verified. Administrators find the reason in the log.',
  email:
    'The identity provider did not send a verified email address for you, which is required here. Ask an administrator.',
  domain: 'Email addresses of your domain may not sign in here. Ask an administrator.',
  unknown: 'You have no account here. Ask an administrator for one.',
  taken:
    'An account with your email address already exists, and you may not sign in to it this way. Ask an administrator.',
} as const;
export type SsoFailure = keyof typeof ssoFailures;

/** Returns the text for a code in the address; null for an unknown code. */
export function ssoFailureText(code: string | undefined): string | null {
  return code !== undefined && Object.hasOwn(ssoFailures, code)
    ? ssoFailures[code as SsoFailure]
    : null;
}
