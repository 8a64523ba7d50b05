/** What a mail account means to the SMTP client. */
import type { ConnectionOptions } from 'node:tls';
import type { MailAccount } from './email-config-store.ts';

/** Milliseconds. */
export const mailTimeouts = { connect: 10_000, greeting: 10_000, silence: 30_000 } as const;

/** `tls`: certificates of authorities to trust beside the system's, in tests. */
export function smtpOptions(account: MailAccount, tls: ConnectionOptions = {}) {
  const { server, port, securityType, email, password } = account;
  return {
    host: server,
    port,
    secure: securityType === 'tls',
    // Never used where it is off, never left out where it is asked for.
    requireTLS: securityType === 'starttls',
    ignoreTLS: securityType === 'none',
    ...(password !== null && { auth: { user: email, pass: password } }),
    connectionTimeout: mailTimeouts.connect,
    greetingTimeout: mailTimeouts.greeting,
    socketTimeout: mailTimeouts.silence,
    // Nothing of a mail is read from files or fetched from addresses.
    disableFileAccess: true,
    disableUrlAccess: true,
    tls: { minVersion: 'TLSv1.2', ...tls } as const,
  };
}
