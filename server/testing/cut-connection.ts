/** A proxy in front of the test cluster's socket, which is lost at a chosen statement. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface CutConnection {
  /** The address of the database through the proxy. */
  readonly url: string;
  /** True once the statement was sent: all connections are cut then, and new ones refused. */
  readonly isCut: () => boolean;
}

/**
 * @param url - The address of a database on a socket.
 * @param words - Part of the statement that is lost.
 * @param isDelivered - Whether the server gets the statement, whose reply is then lost.
 */
export async function cutAt(
  url: string,
  words: string,
  isDelivered = false,
): Promise<CutConnection> {
  const { searchParams, port, username, pathname } = new URL(url);
  const path = `${searchParams.get('host')}/.s.PGSQL.${port}`;
  const sockets = new Set<Socket>();
  let isCut = false;
  const cut = () => {
    isCut = true;
    proxy.close();
    for (const socket of sockets) socket.destroy();
  };
  const proxy = createServer((caller) => {
    const server = connect(path);
    for (const socket of [caller, server]) sockets.add(socket.on('error', () => undefined));
    server.on('data', (chunk) => caller.write(chunk)).on('close', () => caller.destroy());
    caller
      .on('close', () => server.end())
      .on('data', (chunk) => {
        if (!chunk.includes(words)) return void server.write(chunk);
        if (!isDelivered) return cut();
        // The reply says that the server is done.
        server.removeAllListeners('data').once('data', cut).write(chunk);
      });
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(cut);
  const { port: own } = proxy.address() as AddressInfo;
  return { url: `postgres://${username}@127.0.0.1:${own}${pathname}`, isCut: () => isCut };
}
