/** Sends one mail, as plain text and optionally as HTML. */
import type { ConnectionOptions } from 'node:tls';
import type { MailAccount } from './email-config-store.ts';

export interface Mail {
  readonly recipient: string;
  readonly subject: string;
  readonly body: string;
  readonly html?: string | null;
  /** Left part of the Message-ID. A retry repeats it, so that the recipient's server can drop a second copy. */
  readonly messageKey: string;
}

/** Rejects with the server's message, and for a subject with line breaks, which would start another header. */
export async function sendMail(
  account: MailAccount,
  { recipient, subject, body, html = null, messageKey }: Mail,
  tls?: ConnectionOptions,
): Promise<void> {
  if (/[\r\n\0]/.test(subject + recipient))
    throw new Error('The subject and the recipient of an email must be one line');
  // Loaded on the first mail to start faster.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(smtpOptions(account, tls));
  try {
    await transport.sendMail({
      from: { name: account.senderName, address: account.email },
      ...(account.replyToEmail !== '' && { replyTo: account.replyToEmail }),
      to: { name: '', address: recipient },
      subject,
      messageId: `<${messageKey}@${account.email.slice(account.email.lastIndexOf('@') + 1)}>`,
      text: body,
      ...(html !== null && { html }),
    });
  } finally {
    transport.close();
  }
}

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
