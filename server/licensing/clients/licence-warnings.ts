/** Warns of licences that expire soon: 30, 7 and 1 days before, each once, by email to the client's contact and to the administrators. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/logging/logging.ts';
import { addMail } from '../../platform/mail/mail-outbox-store.ts';
import { isLicensed } from './client-state.ts';
import { addressesOfAdministrators, noteWarning } from './licence-warning-store.ts';
import { clientsEnding, type StoredClient } from './licensed-client-store.ts';

const day = 24 * 3_600_000;
const warnedDaysBefore = [1, 7, 30] as const;
const firstWarning = Math.max(...warnedDaysBefore);
const round = 15 * 60_000;

export interface LicenceWarningParts {
  readonly database: Database;
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly clock?: () => number;
  /** Called when there are emails to send. */
  readonly onMail?: () => void;
}

export interface LicenceWarnings {
  /** Sends all warnings that are due, and returns the number of licences. */
  warn(): Promise<number>;
  stop(): Promise<void>;
}

export function startLicenceWarnings({
  database,
  log,
  clock = Date.now,
  onMail = () => undefined,
}: LicenceWarningParts): LicenceWarnings {
  let looking: Promise<unknown> = Promise.resolve();

  async function warn(): Promise<number> {
    let warned = 0;
    for (const client of await clientsEnding(database, clock(), clock() + firstWarning * day)) {
      if (isLicensed(client, clock()) && (await warnOf(client))) warned += 1;
    }
    if (warned > 0) {
      log.info({ licences: warned }, 'sent licence expiry warnings');
      onMail();
    }
    return warned;
  }

  /** A missed warning (service down, or client entered late) is not sent later: the next one is closer to the expiry. */
  function warnOf(client: StoredClient): Promise<boolean> {
    const { id, licenseExpiry, contactEmail } = client;
    const now = clock();
    const left = ((licenseExpiry ?? 0) - now) / day;
    const days = warnedDaysBefore.find((before) => left <= before) ?? firstWarning;
    return database.transaction(async (tx) => {
      if (licenseExpiry === null || !(await noteWarning(tx, { id, licenseExpiry, days, now })))
        return false;
      const mail = mailOf(client, left);
      const recipients = new Map(
        [contactEmail, ...(await addressesOfAdministrators(tx))].map((address) => [
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

  const look = () => {
    looking = warn().catch((error: unknown) =>
      log.warn({ err: error }, 'could not check for licences that expire soon'),
    );
  };
  const rounds = setInterval(look, round);
  rounds.unref();
  look();
  return {
    warn,
    async stop() {
      clearInterval(rounds);
      await looking;
    },
  };
}

function mailOf(
  { clientName, environment, licenseType, licenseExpiry, endPoints }: StoredClient,
  left: number,
) {
  const ends = `${new Date(licenseExpiry ?? 0).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const whole = Math.ceil(left);
  const soon = whole <= 1 ? 'within a day' : `in ${whole} days`;
  const body = [
    `The licence of the client "${clientName}" ends ${soon}, on ${ends}.`,
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
    subject: `The licence of ${clientName.replaceAll(/\s+/g, ' ')} ends ${soon}`,
    body: body.join('\n'),
  };
}
