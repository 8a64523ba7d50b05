/** The email configuration as its form holds it, and as the wire has it. */
import {
  addressesOf,
  type EmailConfig,
  type KnownEmailConfig,
} from '@patch/contract/mail-endpoints.ts';

export interface EmailDraft {
  readonly server: string;
  readonly port: number | null;
  readonly securityType: EmailConfig['securityType'];
  readonly email: string;
  /** Empty while it is not typed: the kept one stays. */
  readonly password: string;
  /** No login at all. */
  readonly withoutPassword: boolean;
  readonly replyToEmail: string;
  readonly toEmailId: readonly string[];
  readonly senderName: string;
}

/** The port that is usual for each. */
export const defaultPorts: Readonly<Record<EmailConfig['securityType'], number>> = {
  none: 25,
  starttls: 587,
  tls: 465,
};

export function draftOfConfig(config: KnownEmailConfig | null): EmailDraft {
  return {
    server: config?.server ?? '',
    port: config?.port ?? defaultPorts.starttls,
    securityType: config?.securityType ?? 'starttls',
    email: config?.email ?? '',
    password: '',
    withoutPassword: config !== null && !config.passwordSet,
    replyToEmail: config?.replyToEmail ?? '',
    toEmailId: config === null ? [] : addressesOf(config.toEmailId),
    senderName: config?.senderName ?? 'Patch Repository',
  };
}

export function configOfDraft(draft: EmailDraft): EmailConfig {
  const {
    password,
    withoutPassword,
    toEmailId,
    port,
    server,
    email,
    replyToEmail,
    senderName,
    securityType,
  } = draft;
  return {
    server: server.trim(),
    port: port ?? 0,
    protocol: 'smtp',
    securityType,
    email: email.trim(),
    ...(withoutPassword ? { password: '' } : password === '' ? {} : { password }),
    replyToEmail: replyToEmail.trim(),
    toEmailId: toEmailId.join(','),
    senderName: senderName.trim(),
  };
}
