/** What licensed clients call: they activate, ask for changes, and say that they live. */
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import { readActivationCode } from '@patch/contract/activation-code.ts';
import {
  activateEndpoint,
  clientChangesEndpoint,
  heartbeatEndpoint,
} from '@patch/contract/client-protocol-endpoints.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { CallingClient } from '../../platform/http/authenticate.ts';
import { JsonText, type RouteRegistrar, Unchanged } from '../../platform/http/route.ts';
import { type ChangeCursor, readCursor, wholeRevision, writeCursor } from './change-cursor.ts';
import { changeState, changesSince, type ListChangeState } from './change-store.ts';
import { hashOfToken, newClientToken } from './client-authenticator.ts';
import { noteNothingNew, notePosition } from './client-position-store.ts';
import { assertLicensed, licenceOf, listsOf, unknownClient } from './client-state.ts';
import type { ClientRoutes } from './licensed-client-routes.ts';
import {
  type ClientContent,
  changeClient,
  type KeptClient,
  lockClient,
  lockClientOfCode,
  readClient,
  setTokenHash,
} from './licensed-client-store.ts';

/** When a client last asked is written so often: it asks for one page after the other. */
const noticedEvery = 60_000;

export function clientProtocolRoutes(
  route: RouteRegistrar,
  { database, clock }: ClientRoutes,
): void {
  route(activateEndpoint, async ({ body, changed }) => {
    const { applicationVersion, hostName } = body;
    const token = newClientToken();
    const client = await database.transaction(async (tx) => {
      const known = await lockClientOfCode(tx, readActivationCode(body.activationCode) ?? '');
      if (known === null) throw unknownClient();
      assertLicensed(known, clock());
      if (known.hasToken && (known.reactivationUntil ?? 0) <= clock()) {
        changed({
          subject: `licensed client ${known.clientName}`,
          after: { refused: 'the code is in use' },
        });
        throw activatedAlready(known);
      }
      await changeClient(
        tx,
        known,
        { applicationVersion, hostName, registeredOn: clock() },
        clock(),
      );
      await setTokenHash(tx, known.id, hashOfToken(token));
      return known;
    });
    const { registeredOn } = client;
    changed({
      subject: `licensed client ${client.clientName}`,
      before: { registeredOn },
      after: { registeredOn: clock() },
    });
    return { ...licenceOf(client), token };
  });

  route(heartbeatEndpoint, async ({ client, body: { applicationVersion, repoUpdatedOn } }) => {
    const known = await noted(idOf(client), (before) => ({
      applicationVersion,
      // A clock that is fast makes nobody newer than now.
      ...(repoUpdatedOn !== undefined && {
        repoUpdatedOn: Math.min(Math.max(before.repoUpdatedOn ?? 0, repoUpdatedOn), clock()),
      }),
    }));
    return licenceOf(known);
  });

  route(clientChangesEndpoint, async ({ client, query: { list: key, since, size }, knows }) => {
    const caller = await readClient(database, idOf(client));
    if (caller === null) throw unknownClient();
    const list = allowedList(caller, key);
    // A clock that was fast and is set right has left a time that lies ahead.
    if (Math.abs(clock() - (caller.latestKbRequestOn ?? 0)) >= noticedEvery)
      await noted(caller.id, () => ({ latestKbRequestOn: clock() }));
    const state = await changeState(database, list);
    const cursor =
      since === undefined ? fromTheBeginning(list, state) : goingOn(list, since, state);
    // What follows a cursor is the same as long as nothing in the list has changed.
    const tag = [state.epoch, state.revision, cursor.revision, cursor.id, size].join('.');
    const position = (there: ChangeCursor) => ({
      id: caller.id,
      list: list.key,
      revision: wholeRevision(there),
      now: clock(),
    });
    if (knows(tag)) {
      await noteNothingNew(database, position(cursor));
      return new Unchanged(tag);
    }
    const { rows, next, more } = await changesSince(database, list, cursor, size);
    await notePosition(database, position(next));
    return new JsonText(
      `{"rows":[${rows}],"nextCursor":"${writeCursor(next)}","more":${more}}`,
      tag,
    );
  });

  async function noted(
    id: number,
    to: (before: KeptClient) => Partial<ClientContent>,
  ): Promise<KeptClient> {
    return database.transaction(async (tx) => {
      const before = await lockClient(tx, id);
      if (before === null) throw unknownClient();
      const change = to(before);
      await changeClient(tx, before, change, clock());
      return { ...before, ...change };
    });
  }
}

/** Admitted by its token: see client-doors. */
function idOf(client: CallingClient | null): number {
  if (client === null) throw new Error('A call of a client was admitted without one');
  return client.id;
}

/** The caller has proved the code and nothing else: a machine's name proves nothing, and the reply names none. */
function activatedAlready({ clientName }: KeptClient): AppError {
  return new AppError(
    'activated_already',
    `The activation code of ${clientName} is in use. Ask an administrator of the repository to allow a re-activation, or for a new code.`,
  );
}

function allowedList(client: KeptClient, key: string): CatalogueList {
  const allowed = listsOf(client);
  const list = allowed.find((one) => one.key === key);
  if (list !== undefined) return list;
  const names = allowed.map((one) => one.key).join(', ');
  throw new AppError(
    'family_not_licensed',
    `The licence of ${client.clientName} does not cover a list '${key}'. It covers: ${names}.`,
  );
}

const fromTheBeginning = (
  { key: list }: CatalogueList,
  { epoch, revision }: ListChangeState,
): ChangeCursor => ({
  list,
  epoch,
  revision: 0,
  id: 0,
  begunAt: revision,
});

function goingOn(
  { key }: CatalogueList,
  since: string,
  { epoch, revision }: ListChangeState,
): ChangeCursor {
  const cursor = readCursor(key, since);
  if (cursor.epoch === epoch && cursor.revision <= revision) return cursor;
  throw new AppError(
    'cursor_ended',
    'The repository was restored from a backup: what follows this cursor is not known. Begin again without one.',
  );
}
