/** The address of a database server for messages and logs. */

/** Returns host, port and database, never the password. */
export function serverAddress(databaseUrl: string): string {
  if (!URL.canParse(databaseUrl)) return 'the address in DATABASE_URL';
  const { host, pathname } = new URL(databaseUrl);
  return `${host}${pathname}`;
}
