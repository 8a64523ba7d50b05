/** The state of a client's licence and the lists that it covers. */
import { type CatalogueList, catalogueLists, getList } from '@patch/catalogue/lists.ts';
import type { ClientLicence } from '@patch/contract/licensing/client-protocol-endpoints.ts';
import type {
  ClientState,
  LicensedClient,
} from '@patch/contract/licensing/licensed-client-endpoints.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { StoredClient } from './licensed-client-store.ts';

export function clientState(
  { revokedOn, licenseExpiry, registeredOn }: StoredClient,
  now: number,
): ClientState {
  if (revokedOn !== null) return 'revoked';
  if (licenseExpiry !== null && licenseExpiry <= now) return 'expired';
  return registeredOn === null ? 'waiting' : 'active';
}

/** Returns true when the licence is valid, whether the client has activated or not. */
export function isLicensed(client: StoredClient, now: number): boolean {
  const state = clientState(client, now);
  return state === 'active' || state === 'waiting';
}

/** @throws AppError `client_revoked` or `licence_expired`. */
export function assertLicensed(client: StoredClient, now: number): void {
  const state = clientState(client, now);
  if (state === 'revoked')
    throw new AppError(
      'client_revoked',
      `${client.clientName} was revoked. Ask an administrator of the repository to restore it.`,
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
    'This activation code or token is not valid. Activate the client with its current code.',
  );

/** Returns the lists of the licensed families: those that the client's copy should contain. */
export function licensedLists({
  families,
}: Pick<StoredClient, 'families'>): readonly CatalogueList[] {
  return catalogueLists.filter(({ source }) => source !== null && families.includes(source));
}

/** Lists that any licensed client may also fetch: the vulnerabilities belong to no family. */
const optionalLists = [getList('vulnerabilities')];

/** Returns all lists that the client may fetch. */
export function fetchableLists(client: Pick<StoredClient, 'families'>): readonly CatalogueList[] {
  return [...licensedLists(client), ...optionalLists];
}

/** Returns the client as the API shows it. The activation code is empty when it was sealed with another key. */
export function wireClient(
  stored: StoredClient,
  { open }: Pick<SecretBox, 'open'>,
  now: number,
): LicensedClient {
  const {
    key: _key,
    hasToken: _hasToken,
    sealedCode,
    reactivationUntil,
    ring: _ring,
    families,
    ...client
  } = stored;
  return {
    ...client,
    families: [...families],
    activationCode: open(sealedCode) ?? '',
    reactivationUntil:
      reactivationUntil !== null && reactivationUntil > now ? reactivationUntil : null,
    state: clientState(stored, now),
  };
}

export function toLicence(client: StoredClient): ClientLicence {
  const { id, clientName, licenseType, licenseExpiry, families } = client;
  return {
    clientId: id,
    clientName,
    licenseType,
    licenseExpiry,
    families: [...families],
    lists: licensedLists(client).map(({ key }) => key),
    optionalLists: optionalLists.map(({ key }) => key),
  };
}
