/** Invites a person by email to choose a password, with the same kind of link as for a forgotten one, but valid for longer. */

import { invitationHours } from '@patch/contract/accounts/user-endpoints.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { readEmailConfig } from '../../platform/mail/email-config-store.ts';
import { addMail } from '../../platform/mail/mail-outbox-store.ts';
import type { PlatformContext } from '../../platform/platform-context.ts';
import { issueResetLink } from '../accounts/password-reset-store.ts';

export interface InvitationParts extends Pick<PlatformContext, 'clock' | 'baseUrl' | 'onMail'> {
  /** The administrator's name. */
  readonly invitedBy: string;
}

/** Checked before a user is created: an invitation that cannot be sent must not look sent. */
export async function assertInvitable(database: Queryable, email: string): Promise<void> {
  if (email === '')
    throw new AppError(
      'no_address',
      'An invitation needs an email address. Enter one, or set a password.',
    );
  if ((await readEmailConfig(database)) === null)
    throw new AppError(
      'mail_not_configured',
      'No email can be sent yet. Configure email first, or set a password.',
    );
}

export async function invite(
  tx: Queryable,
  {
    id: userId,
    name,
    email,
  }: { readonly id: number; readonly name: string; readonly email: string },
  { clock, baseUrl, invitedBy }: InvitationParts,
): Promise<void> {
  const now = clock();
  const link = await issueResetLink(tx, userId, now, invitationHours * 3_600_000);
  const mail = {
    kind: 'Invitation',
    recipient: email,
    subject: 'Your Patch Repository account',
    body: invitationMail(name, invitedBy, `${baseUrl()}/reset-password/${link}`),
  };
  await addMail(tx, mail, now);
}

function invitationMail(name: string, invitedBy: string, link: string): string {
  return [
    `Hello ${name},`,
    '',
    `${invitedBy} has created a Patch Repository account for you. To choose a password, open this link within ${invitationHours} hours:`,
    '',
    link,
    '',
    `Then sign in with the name "${name}" or with this email address.`,
    '',
  ].join('\n');
}
