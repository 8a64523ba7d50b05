/** Creates the role and the database of the product on the embedded PostgreSQL if they do not exist. */
import { Client } from 'pg';

/** The name of the role and of the database. */
export const ownDatabase = 'patch_repository';

/**
 * @param url - Address of the maintenance database, as the superuser.
 * @param password - Password of the role; null for a private socket, which needs none.
 */
export async function makeOwnDatabase(url: string, password: string | null): Promise<void> {
  const client = new Client({ connectionString: url });
  // The next statement rejects; without a listener, the loss of the server would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ role: boolean; database: boolean }>(
      `select exists (select from pg_roles where rolname = $1) as role,
              exists (select from pg_database where datname = $1) as database`,
      [ownDatabase],
    );
    const secret = password === null ? '' : ` password '${password}'`;
    if (rows[0]?.role !== true) await client.query(`create role ${ownDatabase} login${secret}`);
    if (rows[0]?.database !== true)
      await client.query(`create database ${ownDatabase} owner ${ownDatabase}`);
  } finally {
    await client.end();
  }
}

/** Returns true if the server at the address accepts a connection. */
export async function canConnect(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
