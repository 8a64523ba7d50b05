/** Converts a mail account to options of the SMTP client. */
import type { ConnectionOptions } from 'node:tls';
import type { MailAccount } from './email-config-store.ts';

/** Milliseconds. */
export const mailTimeouts = { connect: 10_000, greeting: 10_000, silence: 30_000 } as const;

/** @param tls - Certificate authorities that tests trust besides the system's. */
export function smtpOptions(account: MailAccount, tls: ConnectionOptions = {}) {
  const { server, port, securityType, email, password } = account;
  return {
    host: server,
    port,
    secure: securityType === 'tls',
    // The client's default would use STARTTLS opportunistically.
    requireTLS: securityType === 'starttls',
    ignoreTLS: securityType === 'none',
    ...(password !== null && { auth: { user: email, pass: password } }),
    connectionTimeout: mailTimeouts.connect,
    greetingTimeout: mailTimeouts.greeting,
    socketTimeout: mailTimeouts.silence,
    // The content of a mail is never read from files or addresses.
    disableFileAccess: true,
    disableUrlAccess: true,
    tls: { minVersion: 'TLSv1.2', ...tls } as const,
  };
}
