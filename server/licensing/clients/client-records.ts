/**
 * Reads, creates and changes licensed clients for administrators. Each change is one transaction that locks the client, and throws
 * when the state of the client forbids it.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { createActivationCode, randomLetters } from '@patch/contract/licensing/activation-code.ts';
import {
  type ChangedEntry,
  ClientEntry,
  type LicensedClient,
} from '@patch/contract/licensing/licensed-client-endpoints.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { readInput } from '../../platform/http/read-input.ts';
import type { RegistryContext } from './client-context.ts';
import { assertLicensed, wireClient } from './client-state.ts';
import {
  addClient,
  allowReactivation,
  type ClientContent,
  changeClient,
  hashCode,
  lockClient,
  readClient,
  type StoredClient,
  setCodeHash,
  setTokenHash,
} from './licensed-client-store.ts';

/** Time in which a client may use its code again after an administrator allowed it. */
const reactivationMs = 24 * 3_600_000;

/** A client before and after a change. */
export interface ClientRevision {
  readonly before: LicensedClient;
  readonly after: LicensedClient;
}

/** @throws AppError `not_found` when the client does not exist. */
export async function readClientRecord(
  { database, box, clock }: RegistryContext,
  id: number,
): Promise<LicensedClient> {
  return wireClient(await requireClient(database, id), box, clock());
}

/** @throws AppError `not_found` when the client does not exist. */
export async function requireClient(database: Queryable, id: number): Promise<StoredClient> {
  const client = await readClient(database, id);
  if (client === null) throw notFound(id);
  return client;
}

/** Creates a client with a new activation code. */
export async function createClientRecord(
  context: RegistryContext,
  entry: ClientEntry,
): Promise<LicensedClient> {
  const { database, box, clock } = context;
  const code = newCode();
  const content = newContent(entry, box.seal(code));
  const id = await database.transaction((tx) =>
    addClient(tx, randomUUID(), content, hashCode(code), clock()),
  );
  return readClientRecord(context, id);
}

/**
 * Writes the values that `getChanges` returns for the locked client, then runs `also` in the same
 * transaction. Writes nothing when either throws.
 * @throws AppError `not_found` when the client does not exist.
 */
export async function changeClientRecord(
  context: RegistryContext,
  id: number,
  getChanges: (client: StoredClient) => Partial<ClientContent>,
  also: (tx: Queryable) => Promise<unknown> = () => Promise.resolve(),
): Promise<ClientRevision> {
  const { database, box, clock } = context;
  const before = await database.transaction(async (tx) => {
    const client = await lockClient(tx, id);
    if (client === null) throw notFound(id);
    await changeClient(tx, client, getChanges(client), clock());
    await also(tx);
    return wireClient(client, box, clock());
  });
  return { before, after: await readClientRecord(context, id) };
}

/** Gives the client a new activation code. Its current code and token stop working immediately. */
export function replaceActivationCode(
  context: RegistryContext,
  id: number,
): Promise<ClientRevision> {
  const code = newCode();
  return changeClientRecord(
    context,
    id,
    () => ({ sealedCode: context.box.seal(code), registeredOn: null, hostName: '' }),
    async (tx) => {
      await setCodeHash(tx, id, hashCode(code));
      await setTokenHash(tx, id, null);
    },
  );
}

/**
 * Allows one more activation with the current code within a day.
 * @throws AppError as `assertReactivatable` does.
 */
export function permitReactivation(context: RegistryContext, id: number): Promise<ClientRevision> {
  const { clock } = context;
  return changeClientRecord(
    context,
    id,
    (client) => {
      assertReactivatable(client, clock());
      return {};
    },
    (tx) => allowReactivation(tx, id, clock() + reactivationMs),
  );
}

const notFound = (id: number) => new AppError('not_found', `Licensed client ${id} does not exist.`);

const newCode = () => createActivationCode(randomBytes(randomLetters));

function newContent(entry: ClientEntry, sealedCode: string): ClientContent {
  return {
    ...entry,
    reportsMachines: entry.reportsMachines ?? false,
    sealedCode,
    repoUpdatedOn: null,
    latestKbRequestOn: null,
    registeredOn: null,
    applicationVersion: '',
    hostName: '',
    revokedOn: null,
    revokedBy: '',
  };
}

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
