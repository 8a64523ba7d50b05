/** Routes of outgoing mail. */

import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import {
  type EmailConfig,
  emailConfigEndpoint,
  type KnownEmailConfig,
  lastEmailTestEndpoint,
  mailDeliveriesEndpoint,
  saveEmailConfigEndpoint,
  testEmailConfigEndpoint,
} from '@patch/contract/operations/mail-endpoints.ts';
import type { Database } from '../database/database.ts';
import { AppError } from '../errors/app-error.ts';
import type { RouteRegistrar } from '../http/route.ts';
import { type SecretBox, toUnreadable, UnreadableSecret } from '../secrets/secret-box.ts';
import { lockSettings } from '../settings/settings-store.ts';
import {
  readEmailConfig,
  readLastTest,
  readMailAccount,
  writeEmailConfig,
  writeLastTest,
} from './email-config-store.ts';
import { deliveriesPage } from './mail-outbox-store.ts';
import type { MailTargets } from './mail-targets.ts';
import { type TestedAccount, testMail } from './mail-test.ts';

export interface MailRoutes {
  readonly database: Database;
  readonly box: SecretBox;
  readonly clock: () => number;
  readonly targets: MailTargets;
  /** Certificate authorities that tests trust besides the system's. */
  readonly tls?: ConnectionOptions;
}

export function mailRoutes(
  route: RouteRegistrar,
  { database, box, clock, targets, tls }: MailRoutes,
): void {
  route(emailConfigEndpoint, () => readEmailConfig(database));

  route(lastEmailTestEndpoint, () => readLastTest(database));

  route(saveEmailConfigEndpoint, async ({ body, changed }) => {
    const before = await database.transaction(async (tx) => {
      await lockSettings(tx);
      const previous = await readEmailConfig(tx);
      if (
        body.password === undefined &&
        previous?.passwordSet === true &&
        !isSameLogin(previous, body)
      )
        throw new AppError(
          'password_needed',
          `The stored password is for ${describeLogin(previous)}. Enter the password for ${describeLogin(body)}.`,
        );
      assertAllowed(previous, body);
      await writeEmailConfig(tx, box, body);
      return previous;
    });
    const config = await readEmailConfig(database);
    if (config === null) throw new Error('The email configuration was written and cannot be found');
    changed({
      subject: 'email configuration',
      before,
      after: { ...config, ...(body.password !== undefined && { password: body.password }) },
    });
    return { message: 'email server configuration saved' as const, config };
  });

  route(testEmailConfigEndpoint, async ({ body, changed }) => {
    const account = await toAccount(body);
    const test = await testMail(account, { targets, now: clock(), tls });
    await writeLastTest(database, test);
    changed({ subject: `test mail by ${body.server}`, after: { config: body, test } });
    return test;
  });

  route(mailDeliveriesEndpoint, async ({ query: { offset, size } }) => {
    const { rows, total } = await deliveriesPage(database, offset, size);
    return { objList: [...rows], totalCount: total };
  });

  /** Allows an unchanged server, which may be stored from before this rule; a new server must be an allowed target. */
  function assertAllowed(
    previous: EmailConfig | KnownEmailConfig | null,
    given: EmailConfig,
  ): void {
    if (previous?.server === given.server && previous.port === given.port) return;
    const problem =
      targets.checkPort(given) ??
      (isIP(given.server) === 0 ? null : targets.checkAddress(given, given.server));
    if (problem !== null) throw new AppError('mail_target', `${problem.words} ${problem.advice}`);
  }

  /** Fills in the stored password when none was entered and the login is the same. */
  async function toAccount({ password, ...config }: EmailConfig): Promise<TestedAccount> {
    if (password !== undefined) return { ...config, password: password === '' ? null : password };
    const stored = await readEmailConfig(database);
    if (stored === null || !isSameLogin(stored, config)) return { ...config, password: null };
    const account = await readMailAccount(database, box).catch(toUnreadable);
    return account instanceof UnreadableSecret
      ? { ...config, password: null, unreadable: account }
      : { ...config, password: account?.password ?? null };
  }
}

type Login = Pick<EmailConfig, 'server' | 'port' | 'securityType' | 'email'>;

/** A stored password is sent only to the server, port and protection that it was entered for. */
const isSameLogin = (stored: Login, given: Login) =>
  stored.server === given.server &&
  stored.port === given.port &&
  stored.securityType === given.securityType &&
  stored.email === given.email;

const describeLogin = ({ email, server, port, securityType }: Login) =>
  `${email} at ${server}, port ${port} (${securityType === 'none' ? 'not encrypted' : securityType.toUpperCase()})`;
