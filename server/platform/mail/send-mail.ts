/** Sends one mail, as plain text and optionally as HTML. */
import type { ConnectionOptions } from 'node:tls';
import type { MailAccount } from './email-config-store.ts';
import { smtpOptions } from './smtp-options.ts';

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
