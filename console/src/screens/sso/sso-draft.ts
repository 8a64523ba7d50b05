/** The configuration of single sign-on as its form holds it, and as the wire has it. */
import type { KnownSsoConfig, SsoConfig } from '@patch/contract/sso-endpoints.ts';

export interface SsoDraft extends Omit<SsoConfig, 'clientSecret'> {
  /** Empty while it is not typed: the kept one stays. */
  readonly clientSecret: string;
  /** A public client, without any. */
  readonly withoutSecret: boolean;
}

export function draftOfSso(config: KnownSsoConfig | null): SsoDraft {
  return {
    enabled: config?.enabled ?? true,
    label: config?.label ?? '',
    issuer: config?.issuer ?? '',
    clientId: config?.clientId ?? '',
    clientSecret: '',
    withoutSecret: config !== null && !config.clientSecretSet,
    scopes: config?.scopes ?? 'openid profile email',
    nameClaim: config?.nameClaim ?? 'preferred_username',
    allowedDomains: config?.allowedDomains ?? [],
    createUsers: config?.createUsers ?? false,
    linkByEmail: config?.linkByEmail ?? true,
  };
}

export function ssoOfDraft({ withoutSecret, clientSecret, ...config }: SsoDraft): SsoConfig {
  return {
    ...config,
    // A box that was never touched is not among the form's values.
    ...(withoutSecret ? { clientSecret: '' } : clientSecret === '' ? {} : { clientSecret }),
  };
}
