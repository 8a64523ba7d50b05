/**
 * Emails the client's contact and the administrators 30, 7 and 1 days before a licence expires,
 * each once. A licence that has ended causes an event.
 */

import { fold } from '@patch/catalogue/definition/fold.ts';
import { utcMinute } from '@patch/contract/dates/utc-minute.ts';
import type { Database } from '../../platform/database/database.ts';
import { addEvent } from '../../platform/events/event-store.ts';
import type { Log } from '../../platform/logging/logging.ts';
import { addMail } from '../../platform/mail/mail-outbox-store.ts';
import { isLicensed } from './client-state.ts';
import {
  findClientsEnded,
  findClientsExpiring,
  noteWarning,
  readAdministratorAddresses,
  type StoredClient,
} from './licensed-client-store.ts';

const dayMs = 24 * 3_600_000;
const warnedDaysBefore = [1, 7, 30] as const;
const firstWarning = Math.max(...warnedDaysBefore);
const checkIntervalMs = 15 * 60_000;

export interface LicenceWarningParts {
  readonly database: Database;
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly clock?: () => number;
  /** Called when there are emails to send. */
  readonly onMail?: () => void;
}

export interface LicenceWarnings {
  /** Sends all due warnings and returns the number of licences. */
  warn(): Promise<number>;
  stop(): Promise<void>;
}

export function startLicenceWarnings({
  database,
  log,
  clock = Date.now,
  onMail = () => undefined,
}: LicenceWarningParts): LicenceWarnings {
  let checking: Promise<unknown> = Promise.resolve();

  async function warn(): Promise<number> {
    let warned = 0;
    for (const client of await findClientsExpiring(
      database,
      clock(),
      clock() + firstWarning * dayMs,
    )) {
      if (isLicensed(client, clock()) && (await sendWarning(client))) warned += 1;
    }
    for (const client of await findClientsEnded(database, clock()))
      await noteEnd(database, client, clock());
    if (warned > 0) {
      log.info({ licences: warned }, 'sent licence expiry warnings');
      onMail();
    }
    return warned;
  }

  /** Missed warnings (service down, or client entered late) are not sent later: the next one is closer to the expiry. */
  function sendWarning(client: StoredClient): Promise<boolean> {
    const { licenseExpiry, contactEmail } = client;
    const now = clock();
    const daysLeft = ((licenseExpiry ?? 0) - now) / dayMs;
    const days = warnedDaysBefore.find((before) => daysLeft <= before) ?? firstWarning;
    return database.transaction(async (tx) => {
      if (licenseExpiry === null || !(await noteWarning(tx, client, days, now))) return false;
      const mail = composeMail(client, daysLeft);
      const recipients = new Map(
        [contactEmail, ...(await readAdministratorAddresses(tx))].map((address) => [
          fold(address),
          address,
        ]),
      );
      recipients.delete('');
      for (const recipient of recipients.values())
        await addMail(tx, { kind: 'Licence warning', recipient, ...mail }, now);
      return true;
    });
  }

  const check = () => {
    checking = warn().catch((error: unknown) =>
      log.warn({ err: error }, 'could not check for licences that expire soon'),
    );
  };
  const timer = setInterval(check, checkIntervalMs);
  timer.unref();
  check();
  return {
    warn,
    async stop() {
      clearInterval(timer);
      await checking;
    },
  };
}

/** Makes an event of a licence that has ended, once. */
function noteEnd(database: Database, client: StoredClient, now: number): Promise<void> {
  const { id, clientName, licenseExpiry } = client;
  return database.transaction(async (tx) => {
    if (licenseExpiry === null || !(await noteWarning(tx, client, 0, now))) return;
    const path = `/patch-repository/floto-user/record/${id}`;
    const ended = `Ended on ${utcMinute(licenseExpiry)}`;
    await addEvent(
      tx,
      {
        type: 'licence.ended',
        title: `The licence of ${clientName} has ended`,
        path,
        subject: { clientId: id },
        items: [{ name: clientName, about: ended, path }],
        totalCount: 1,
      },
      now,
    );
  });
}

function composeMail(
  { clientName, environment, licenseType, licenseExpiry, endPoints }: StoredClient,
  daysLeft: number,
) {
  const ends = utcMinute(licenseExpiry ?? 0);
  const days = Math.ceil(daysLeft);
  const soon = days <= 1 ? 'within a day' : `in ${days} days`;
  const body = [
    `The licence of the client "${clientName}" expires ${soon}, on ${ends}.`,
    '',
    `Licence type: ${licenseType}`,
    `Environment: ${environment}`,
    `Endpoints: ${endPoints}`,
    '',
    'After that the repository refuses the requests of this client. An administrator can renew the licence in the list of licensed clients;',
    'the client then continues without a new activation.',
    '',
  ];
  return {
    subject: `The licence of ${clientName.replaceAll(/\s+/g, ' ')} expires ${soon}`,
    body: body.join('\n'),
  };
}
