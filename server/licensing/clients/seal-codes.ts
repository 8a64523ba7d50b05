/** Seals the activation codes that an earlier version stored in plain text. */
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/logging/logging.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import {
  changeClient,
  clientsWithPlainCode,
  hashOfCode,
  hasSealedCode,
  lockClient,
  setCodeHash,
} from './licensed-client-store.ts';

export interface SealCodes {
  readonly database: Database;
  readonly box: Pick<SecretBox, 'seal'>;
  readonly log: Pick<Log, 'info'>;
  readonly clock?: () => number;
}

/**
 * Runs at every start, before requests are answered. Each client is sealed in a transaction of its own: a process that is killed
 * goes on at its next start, and of several processes that start together only one seals a client. Answers how many it sealed.
 */
export async function sealCodes({
  database,
  box,
  log,
  clock = Date.now,
}: SealCodes): Promise<number> {
  let sealed = 0;
  for (const id of await clientsWithPlainCode(database)) {
    const done = await database.transaction(async (tx) => {
      const client = await lockClient(tx, id);
      if (client === null || (await hasSealedCode(tx, id))) return false;
      const code = client.sealedCode;
      await changeClient(tx, client, { sealedCode: box.seal(code) }, clock());
      await setCodeHash(tx, id, hashOfCode(code));
      return true;
    });
    if (done) sealed += 1;
  }
  if (sealed === 0) return 0;
  // Removes the old versions of the rows, which hold the codes in plain text, and their entries in the indexes.
  await database.query('vacuum full licensed_client');
  log.info({ clients: sealed }, 'sealed the activation codes of licensed clients');
  return sealed;
}
