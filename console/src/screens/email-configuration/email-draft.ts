/** Converts the email configuration between its form and the wire. */
import {
  type EmailConfig,
  type KnownEmailConfig,
  parseAddresses,
} from '@patch/contract/mail-endpoints.ts';

export interface EmailDraft {
  readonly server: string;
  readonly port: number | null;
  readonly securityType: EmailConfig['securityType'];
  readonly email: string;
  /** Empty until typed. Empty leaves the saved password unchanged. */
  readonly password: string;
  /** The server needs no sign-in. */
  readonly withoutPassword: boolean;
  readonly replyToEmail: string;
  readonly toEmailId: readonly string[];
  readonly senderName: string;
}

/** The usual port of each security type. */
export const defaultPorts: Readonly<Record<EmailConfig['securityType'], number>> = {
  none: 25,
  starttls: 587,
  tls: 465,
};

export function toEmailDraft(config: KnownEmailConfig | null): EmailDraft {
  return {
    server: config?.server ?? '',
    port: config?.port ?? defaultPorts.starttls,
    securityType: config?.securityType ?? 'starttls',
    email: config?.email ?? '',
    password: '',
    withoutPassword: config !== null && !config.passwordSet,
    replyToEmail: config?.replyToEmail ?? '',
    toEmailId: config === null ? [] : parseAddresses(config.toEmailId),
    senderName: config?.senderName ?? 'Patch Repository',
  };
}

export function toEmailConfig(draft: EmailDraft): EmailConfig {
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
