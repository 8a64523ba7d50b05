/**
 * The values that each change by an administrator writes to a licensed client. Throws when the
 * client's state forbids the change.
 */
import { type ChangedEntry, ClientEntry } from '@patch/contract/licensed-client-endpoints.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { readInput } from '../../platform/http/read-input.ts';
import { assertLicensed } from './client-state.ts';
import type { ClientContent, StoredClient } from './licensed-client-store.ts';

/** Returns the complete entry with `changes` applied, validated as a new entry is. */
export function changedEntry(
  client: StoredClient,
  changes: ChangedEntry,
): ClientEntry & Pick<ClientContent, 'reportsMachines'> {
  const names = Object.keys(ClientEntry.shape) as (keyof ClientEntry)[];
  const entry = Object.fromEntries(names.map((name) => [name, client[name]]));
  const read = readInput<typeof ClientEntry>('body', ClientEntry, { ...entry, ...changes });
  return { ...read, reportsMachines: read.reportsMachines ?? client.reportsMachines };
}

/**
 * @throws AppError `perpetual_licence`, or `expiry_passed` when `licenseExpiry` is not after `now`.
 */
export function renewal(
  { licenseType, clientName }: Pick<StoredClient, 'licenseType' | 'clientName'>,
  licenseExpiry: number,
  now: number,
): Pick<ClientContent, 'licenseExpiry'> {
  if (licenseType === 'perpetual')
    throw new AppError(
      'perpetual_licence',
      `The licence of ${clientName} is perpetual and has no expiry date.`,
    );
  if (licenseExpiry <= now)
    throw new AppError('expiry_passed', 'The expiry date must be in the future.');
  return { licenseExpiry };
}

/** @throws AppError `revoked_already`. */
export function revocation(
  client: Pick<StoredClient, 'revokedOn' | 'clientName'>,
  revokedBy: string,
  now: number,
): Pick<ClientContent, 'revokedOn' | 'revokedBy'> {
  if (client.revokedOn !== null)
    throw new AppError('revoked_already', `${client.clientName} is already revoked.`);
  return { revokedOn: now, revokedBy };
}

/** @throws AppError `not_revoked`. */
export function restoration(
  client: Pick<StoredClient, 'revokedOn' | 'clientName'>,
): Pick<ClientContent, 'revokedOn' | 'revokedBy'> {
  if (client.revokedOn === null)
    throw new AppError('not_revoked', `${client.clientName} is not revoked.`);
  return { revokedOn: null, revokedBy: '' };
}

/**
 * @throws AppError `not_activated` when the client's code is not in use, and as `assertLicensed`
 * does.
 */
export function assertReactivatable(client: StoredClient, now: number): void {
  if (!client.hasToken)
    throw new AppError(
      'not_activated',
      `${client.clientName} can already activate: its code is not in use.`,
    );
  assertLicensed(client, now);
}
