/** The registry of licensed clients, as administrators keep it. */
import { randomBytes, randomUUID } from 'node:crypto';
import { restrictedMask } from '@patch/catalogue/definition/restricted-fields.ts';
import { activationCodeOf, randomLetters } from '@patch/contract/activation-code.ts';
import {
  allowReactivationEndpoint,
  type ChangedEntry,
  ClientEntry,
  changeClientEndpoint,
  createClientEndpoint,
  type LicensedClient,
  licensedClientEndpoint,
  newActivationCodeEndpoint,
  renewClientEndpoint,
  restoreClientEndpoint,
  revokeClientEndpoint,
} from '@patch/contract/licensed-client-endpoints.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { readInput } from '../../platform/http/read-input.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import type { AuditedChange, RouteRegistrar } from '../../platform/http/route.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { assertLicensed, wireClient } from './client-state.ts';
import {
  addClient,
  allowReactivation,
  type ClientContent,
  changeClient,
  hashOfCode,
  type KeptClient,
  lockClient,
  readClient,
  setCodeHash,
  setTokenHash,
} from './licensed-client-store.ts';

/** An activation that an administrator allowed must take place within a day. */
const reactivationLasts = 24 * 3_600_000;

export interface RegistryRoutes extends ClientRoutes {
  readonly box: SecretBox;
}

export interface ClientRoutes {
  readonly database: Database;
  readonly clock: () => number;
}

export function licensedClientRoutes(
  route: RouteRegistrar,
  { database, clock, box }: RegistryRoutes,
): void {
  route(licensedClientEndpoint, async ({ params: { id } }) =>
    told(await readClient(database, id), id),
  );

  route(createClientEndpoint, async ({ body, changed }) => {
    const code = newCode();
    const content = newContent(body, box.seal(code));
    const id = await database.transaction((session) =>
      addClient(session, randomUUID(), content, hashOfCode(code), clock()),
    );
    const created = told(await readClient(database, id), id);
    changed({ subject: subjectOf(created), after: recorded(created) });
    return created;
  });

  route(changeClientEndpoint, ({ params: { id }, body, changed }) =>
    change(id, changed, (client) => changedEntry(client, body)),
  );

  route(renewClientEndpoint, ({ params: { id }, body: { licenseExpiry }, changed }) =>
    change(id, changed, ({ licenseType, clientName }) => {
      if (licenseType === 'perpetual')
        throw new AppError(
          'perpetual_licence',
          `The licence of ${clientName} is perpetual: it has no end.`,
        );
      if (licenseExpiry <= clock())
        throw new AppError('expiry_passed', 'Licence expires must lie ahead.');
      return { licenseExpiry };
    }),
  );

  route(revokeClientEndpoint, ({ params: { id }, changed, ...request }) =>
    change(id, changed, (client) => {
      if (client.revokedOn !== null)
        throw new AppError('revoked_already', `${client.clientName} is already revoked.`);
      return { revokedOn: clock(), revokedBy: requireUser(request).name };
    }),
  );

  route(restoreClientEndpoint, ({ params: { id }, changed }) =>
    change(id, changed, (client) => {
      if (client.revokedOn === null)
        throw new AppError('not_revoked', `${client.clientName} is not revoked.`);
      return { revokedOn: null, revokedBy: '' };
    }),
  );

  route(newActivationCodeEndpoint, ({ params: { id }, changed }) => {
    const code = newCode();
    return change(
      id,
      changed,
      () => ({ sealedCode: box.seal(code), registeredOn: null, hostName: '' }),
      async (session) => {
        await setCodeHash(session, id, hashOfCode(code));
        await setTokenHash(session, id, null);
      },
    );
  });

  route(allowReactivationEndpoint, ({ params: { id }, changed }) =>
    change(
      id,
      changed,
      (client) => {
        if (!client.hasToken)
          throw new AppError(
            'not_activated',
            `${client.clientName} can already activate: its code is not in use.`,
          );
        assertLicensed(client, clock());
        return {};
      },
      (session) => allowReactivation(session, id, clock() + reactivationLasts),
    ),
  );

  async function change(
    id: number,
    changed: (change: AuditedChange) => void,
    to: (client: KeptClient) => Partial<ClientContent>,
    also: (session: Queryable) => Promise<void> = () => Promise.resolve(),
  ): Promise<LicensedClient> {
    const before = await database.transaction(async (session) => {
      const client = await lockClient(session, id);
      if (client === null) throw notFound(id);
      await changeClient(session, client, to(client), clock());
      await also(session);
      return wireClient(client, box, clock());
    });
    const after = told(await readClient(database, id), id);
    changed({
      subject: subjectOf(after),
      before: recorded(before),
      after: { ...recorded(after), ...restrictedChanges(before, after) },
    });
    return after;
  }

  function told(client: KeptClient | null, id: number): LicensedClient {
    if (client === null) throw notFound(id);
    return wireClient(client, box, clock());
  }
}

const notFound = (id: number) => new AppError('not_found', `There is no licensed client ${id}.`);
const subjectOf = ({ clientName }: LicensedClient) => `licensed client ${clientName}`;

/**
 * As the audit log keeps it, which more people and programs read than the registry: restricted values are masked, and the code
 * is told from others by how its hash begins.
 */
function recorded({ activationCode, contactEmail, notes, hostName, ...others }: LicensedClient) {
  return {
    ...others,
    contactEmail: masked(contactEmail),
    notes: masked(notes),
    hostName: masked(hostName),
    codeId: hashOfCode(activationCode).slice(0, 8),
  };
}

/** The names of the restricted values that differ, since the log does not hold the values. */
function restrictedChanges(before: LicensedClient, after: LicensedClient) {
  const names = (['contactEmail', 'notes', 'hostName'] as const).filter(
    (name) => before[name] !== after[name],
  );
  return names.length === 0 ? {} : { changedFields: names };
}

const masked = (text: string) => (text === '' ? '' : restrictedMask);

function changedEntry(client: KeptClient, changes: ChangedEntry): ClientEntry {
  const names = Object.keys(ClientEntry.shape) as (keyof ClientEntry)[];
  const entry = Object.fromEntries(names.map((name) => [name, client[name]]));
  return readInput<typeof ClientEntry>('body', ClientEntry, { ...entry, ...changes });
}

const newCode = () => activationCodeOf(randomBytes(randomLetters));

function newContent(entry: ClientEntry, sealedCode: string): ClientContent {
  return {
    ...entry,
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
