/** How a client's licence stands, what it covers, and what a client is told whose licence does not hold. */
import { type CatalogueList, catalogueLists, listOfKey } from '@patch/catalogue/lists.ts';
import type { ClientLicence } from '@patch/contract/client-protocol-endpoints.ts';
import type { ClientState, LicensedClient } from '@patch/contract/licensed-client-endpoints.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { StoredClient } from './licensed-client-store.ts';

export function stateOf(
  { revokedOn, licenseExpiry, registeredOn }: StoredClient,
  now: number,
): ClientState {
  if (revokedOn !== null) return 'revoked';
  if (licenseExpiry !== null && licenseExpiry <= now) return 'expired';
  return registeredOn === null ? 'waiting' : 'active';
}

/** Whether its licence holds, used or not. */
export function isLicensed(client: StoredClient, now: number): boolean {
  const state = stateOf(client, now);
  return state === 'active' || state === 'waiting';
}

/** Throws the AppError that says why it does not hold. */
export function assertLicensed(client: StoredClient, now: number): void {
  const state = stateOf(client, now);
  if (state === 'revoked')
    throw new AppError(
      'client_revoked',
      `${client.clientName} was revoked. Ask who runs the repository.`,
    );
  if (state !== 'expired') return;
  const day = new Date(client.licenseExpiry ?? 0).toISOString().slice(0, 10);
  throw new AppError(
    'licence_expired',
    `The licence of ${client.clientName} ended on ${day}. Access resumes when it is renewed.`,
  );
}

export const unknownClient = () =>
  new AppError(
    'unknown_client',
    'The repository knows no client of this activation code or token. Activate with the code it has now.',
  );

/** The lists of its families: what its copy should have. */
export function listsOf({ families }: Pick<StoredClient, 'families'>): readonly CatalogueList[] {
  return catalogueLists.filter(({ source }) => source !== null && families.includes(source));
}

/** What any licensed client may fetch beside them, when it asks: the vulnerabilities belong to no family. */
const optionalLists = [listOfKey('vulnerabilities')];

/** All lists that may be fetched. */
export function fetchableLists(client: Pick<StoredClient, 'families'>): readonly CatalogueList[] {
  return [...listsOf(client), ...optionalLists];
}

/** With its activation code; without one when it was sealed with another key. */
export function wireClient(
  kept: StoredClient,
  { open }: Pick<SecretBox, 'open'>,
  now: number,
): LicensedClient {
  const {
    key: _key,
    hasToken: _hasToken,
    sealedCode,
    reactivationUntil,
    families,
    ...client
  } = kept;
  return {
    ...client,
    families: [...families],
    activationCode: open(sealedCode) ?? '',
    reactivationUntil:
      reactivationUntil !== null && reactivationUntil > now ? reactivationUntil : null,
    state: stateOf(kept, now),
  };
}

export function licenceOf(client: StoredClient): ClientLicence {
  const { id, clientName, licenseType, licenseExpiry, families } = client;
  return {
    clientId: id,
    clientName,
    licenseType,
    licenseExpiry,
    families: [...families],
    lists: listsOf(client).map(({ key }) => key),
    optionalLists: optionalLists.map(({ key }) => key),
  };
}
