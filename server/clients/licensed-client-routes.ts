/** The registry of licensed clients, as administrators keep it. */
import { randomBytes, randomUUID } from 'node:crypto';
import { activationCodeOf, randomLetters } from '@patch/contract/activation-code.ts';
import {
  changeClientCall,
  type ChangedEntry,
  ClientEntry,
  createClientCall,
  type LicensedClient,
  licensedClientCall,
  newActivationCodeCall,
  renewClientCall,
  restoreClientCall,
  revokeClientCall,
} from '@patch/contract/licensed-client-calls.ts';
import { whoAsks } from '../auth/who-asks.ts';
import type { Database } from '../database/database.ts';
import type { Answer, Change } from '../http/answer.ts';
import { readInput } from '../http/read-input.ts';
import { Refusal } from '../http/refusal.ts';
import { wireClient } from './client-state.ts';
import {
  addClient,
  changeClient,
  type ClientContent,
  type KeptClient,
  lockClient,
  readClient,
  setTokenHash,
} from './licensed-client-store.ts';

export interface ClientRoutes {
  readonly database: Database;
  readonly clock: () => number;
}

export function licensedClientRoutes(answer: Answer, { database, clock }: ClientRoutes): void {
  answer(licensedClientCall, async ({ params: { id } }) => told(await readClient(database, id), id));

  answer(createClientCall, async ({ body, changed }) => {
    const id = await database.transaction((session) => addClient(session, randomUUID(), newContent(body), clock()));
    const created = told(await readClient(database, id), id);
    changed({ subject: subjectOf(created), after: recorded(created) });
    return created;
  });

  answer(changeClientCall, ({ params: { id }, body, changed }) => change(id, changed, (client) => changedEntry(client, body)));

  answer(renewClientCall, ({ params: { id }, body: { licenseExpiry }, changed }) =>
    change(id, changed, ({ licenseType, clientName }) => {
      if (licenseType === 'perpetual')
        throw new Refusal(409, 'perpetual_licence', `The licence of ${clientName} is perpetual: it has no end.`);
      if (licenseExpiry <= clock()) throw new Refusal(422, 'expiry_passed', 'Licence expires must lie ahead.');
      return { licenseExpiry };
    }),
  );

  answer(revokeClientCall, ({ params: { id }, changed, ...request }) =>
    change(id, changed, (client) => {
      if (client.revokedOn !== null) throw new Refusal(409, 'revoked_already', `${client.clientName} is revoked already.`);
      return { revokedOn: clock(), revokedBy: whoAsks(request).name };
    }),
  );

  answer(restoreClientCall, ({ params: { id }, changed }) =>
    change(id, changed, (client) => {
      if (client.revokedOn === null) throw new Refusal(409, 'not_revoked', `${client.clientName} is not revoked.`);
      return { revokedOn: null, revokedBy: '' };
    }),
  );

  answer(newActivationCodeCall, ({ params: { id }, changed }) =>
    change(id, changed, () => ({ activationCode: newCode(), registeredOn: null, hostName: '' }), { endsToken: true }),
  );

  async function change(
    id: number,
    changed: (change: Change) => void,
    to: (client: KeptClient) => Partial<ClientContent>,
    { endsToken = false } = {},
  ): Promise<LicensedClient> {
    const before = await database.transaction(async (session) => {
      const client = await lockClient(session, id);
      if (client === null) throw notFound(id);
      await changeClient(session, client, to(client), clock());
      if (endsToken) await setTokenHash(session, id, null);
      return wireClient(client, clock());
    });
    const after = told(await readClient(database, id), id);
    changed({ subject: subjectOf(after), before: recorded(before), after: recorded(after) });
    return after;
  }

  function told(client: KeptClient | null, id: number): LicensedClient {
    if (client === null) throw notFound(id);
    return wireClient(client, clock());
  }
}

const notFound = (id: number) => new Refusal(404, 'not_found', `There is no licensed client ${id}.`);
const subjectOf = ({ clientName }: LicensedClient) => `licensed client ${clientName}`;

/** Whoever has the code can become the client: of it the audit log gets enough to tell one from another. */
function recorded(client: LicensedClient): Omit<LicensedClient, 'activationCode'> & { readonly codeBegins: string } {
  const { activationCode, ...others } = client;
  return { ...others, codeBegins: activationCode.slice(0, 5) };
}

function changedEntry(client: KeptClient, changes: ChangedEntry): ClientEntry {
  const names = Object.keys(ClientEntry.shape) as (keyof ClientEntry)[];
  const entry = Object.fromEntries(names.map((name) => [name, client[name]]));
  return readInput<typeof ClientEntry>('body', ClientEntry, { ...entry, ...changes });
}

const newCode = () => activationCodeOf(randomBytes(randomLetters));

function newContent(entry: ClientEntry): ClientContent {
  return {
    ...entry,
    activationCode: newCode(),
    repoUpdatedOn: null,
    latestKbRequestOn: null,
    registeredOn: null,
    applicationVersion: '',
    hostName: '',
    revokedOn: null,
    revokedBy: '',
  };
}
