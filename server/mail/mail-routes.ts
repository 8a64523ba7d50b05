/** The calls about outgoing mail. */
import {
  type EmailConfig,
  emailConfigCall,
  mailDeliveriesCall,
  saveEmailConfigCall,
  testEmailConfigCall,
} from '@patch/contract/mail-calls.ts';
import type { ConnectionOptions } from 'node:tls';
import type { Database } from '../database/database.ts';
import type { Answer } from '../http/answer.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { type MailAccount, readEmailConfig, readLastTest, readMailAccount, writeEmailConfig, writeLastTest } from './email-config-store.ts';
import { deliveriesPage } from './mail-outbox-store.ts';
import { testMail } from './mail-test.ts';

export interface MailRoutes {
  readonly database: Database;
  readonly box: SecretBox;
  readonly clock: () => number;
  /** Authorities to trust beside the system's, in tests. */
  readonly tls?: ConnectionOptions;
}

export function mailRoutes(answer: Answer, { database, box, clock, tls }: MailRoutes): void {
  answer(emailConfigCall, async () => ({ config: await readEmailConfig(database), lastTest: await readLastTest(database) }));

  answer(saveEmailConfigCall, async ({ body, changed }) => {
    const before = await readEmailConfig(database);
    await writeEmailConfig(database, box, body);
    const config = await readEmailConfig(database);
    if (config === null) throw new Error('The e-mail configuration was written and is not there');
    changed({
      subject: 'e-mail configuration',
      before,
      after: { ...config, ...(body.password !== undefined && { password: body.password }) },
    });
    return { message: 'email server configuration saved' as const, config };
  });

  answer(testEmailConfigCall, async ({ body, changed }) => {
    const test = await testMail(await accountOf(body), clock(), tls);
    await writeLastTest(database, test);
    changed({ subject: `test mail by ${body.server}`, after: { config: body, test } });
    return test;
  });

  answer(mailDeliveriesCall, async ({ query: { offset, size } }) => {
    const { rows, total } = await deliveriesPage(database, offset, size);
    return { objList: [...rows], totalCount: total };
  });

  /** A password that is not typed again is the one that is kept. */
  async function accountOf({ password, ...config }: EmailConfig): Promise<MailAccount> {
    if (password !== undefined) return { ...config, password: password === '' ? null : password };
    const kept = await readMailAccount(database, box).catch(() => null);
    // Never sent to another server than the one it was entered for.
    const same = kept !== null && kept.server === config.server && kept.email === config.email;
    return { ...config, password: same ? kept.password : null };
  }
}
