/** Converts the single sign-on configuration between its form and the wire. */
import type { KnownSsoConfig, SsoConfig } from '@patch/contract/sso-endpoints.ts';

export interface SsoDraft extends Omit<SsoConfig, 'clientSecret'> {
  /** Empty until typed. Empty leaves the saved secret unchanged. */
  readonly clientSecret: string;
  /** A public client has no secret. */
  readonly withoutSecret: boolean;
}

export function toSsoDraft(config: KnownSsoConfig | null): SsoDraft {
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

export function toSsoConfig({ withoutSecret, clientSecret, ...config }: SsoDraft): SsoConfig {
  return {
    ...config,
    // The form has no value for an untouched checkbox.
    ...(withoutSecret ? { clientSecret: '' } : clientSecret === '' ? {} : { clientSecret }),
  };
}
