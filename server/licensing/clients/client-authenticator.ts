/** Authentication of licensed clients: at activation a client exchanges its code for the token that authenticates its later calls. */
import { randomBytes } from 'node:crypto';
import { sha256Hex } from '@patch/catalogue/parsers/sha256.ts';
import { readActivationCode } from '@patch/contract/licensing/activation-code.ts';
import type { ClientLicence } from '@patch/contract/licensing/client-protocol-endpoints.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { AuditedChange } from '../../platform/http/route.ts';
import { auditSubject } from './client-audit.ts';
import type { ClientContext } from './client-context.ts';
import type { ClientMemory } from './client-memory.ts';
import { assertLicensed, toLicence, unknownClient } from './client-state.ts';
import {
  changeClient,
  lockClientByCode,
  type StoredClient,
  setTokenHash,
} from './licensed-client-store.ts';

export const newClientToken = () => `prc_${randomBytes(32).toString('base64url')}`;

export const hashToken = (token: string) => sha256Hex(token);

/** @throws AppError that says why the client may not call. */
export async function findClient(
  clients: Pick<ClientMemory, 'findByToken'>,
  token: string,
  now: number,
): Promise<StoredClient> {
  const client = token.startsWith('prc_') ? await clients.findByToken(hashToken(token)) : null;
  if (client === null) throw unknownClient();
  assertLicensed(client, now);
  return client;
}

export interface Activation {
  /** As a person typed it. */
  readonly activationCode: string;
  readonly applicationVersion: string;
  readonly hostName: string;
}

/**
 * The token is returned once: only its hash is stored.
 * @throws AppError when the code is unknown, when the licence is not valid, and when the code is in
 * use and no re-activation is allowed. The last case is reported to the audit log first.
 */
export async function activateClient(
  { database, clock }: ClientContext,
  { activationCode, applicationVersion, hostName }: Activation,
  changed: (change: AuditedChange) => void,
): Promise<ClientLicence & { readonly token: string }> {
  const token = newClientToken();
  const client = await database.transaction(async (tx) => {
    const known = await lockClientByCode(tx, readActivationCode(activationCode) ?? '');
    if (known === null) throw unknownClient();
    assertLicensed(known, clock());
    if (!canActivate(known, clock())) {
      changed({ subject: auditSubject(known), after: { refused: 'the code is in use' } });
      throw activatedAlready(known);
    }
    await changeClient(tx, known, { applicationVersion, hostName, registeredOn: clock() }, clock());
    await setTokenHash(tx, known.id, hashToken(token));
    return known;
  });
  changed({
    subject: auditSubject(client),
    before: { registeredOn: client.registeredOn },
    after: { registeredOn: clock() },
  });
  return { ...toLicence(client), token };
}

/** Returns true when the code is not in use, or when an allowed re-activation has not expired. */
export function canActivate(
  { hasToken, reactivationUntil }: Pick<StoredClient, 'hasToken' | 'reactivationUntil'>,
  now: number,
): boolean {
  return !hasToken || (reactivationUntil ?? 0) > now;
}

/** The message contains no host name: the caller has only proved that it has the code. */
function activatedAlready({ clientName }: StoredClient): AppError {
  return new AppError(
    'activated_already',
    `The activation code of ${clientName} is in use. Ask an administrator of the repository to allow a re-activation, or for a new code.`,
  );
}
