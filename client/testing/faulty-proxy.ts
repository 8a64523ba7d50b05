/** A proxy between a client and the repository that simulates faults of networks. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

/**
 * `hold`: no reply. `drop`: closes the connection. `cut`: closes it in the middle of the reply. A number: replies with that
 * status.
 */
export type Fault = 'hold' | 'drop' | 'cut' | number;

export interface FaultyProxy {
  readonly url: string;
  /** Received requests: `GET /api/client/changes?…`. */
  readonly requests: string[];
  /** Returns the fault for the n-th request, counted from 1; null for none. */
  fault: (request: string, n: number) => Fault | null | Promise<null>;
  close(): Promise<void>;
}

export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const server = createServer((incoming, reply) => void serve(incoming, reply));
  async function serve(incoming: IncomingMessage, reply: ServerResponse): Promise<void> {
    const line = `${incoming.method} ${incoming.url}`;
    proxy.requests.push(line);
    const fault = await proxy.fault(line, proxy.requests.length);
    if (fault === 'hold') return;
    if (fault === 'drop') return void incoming.socket.destroy();
    if (typeof fault === 'number')
      return void reply.writeHead(fault, { 'retry-after': '0' }).end('no JSON');
    pass(target, incoming, reply, fault === 'cut');
  }
  const proxy: FaultyProxy = {
    url: '',
    requests: [],
    fault: () => null,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  return Object.assign(proxy, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
}

/** Forwards with an external address, so that replies are compressed. */
function pass(
  target: string,
  incoming: IncomingMessage,
  reply: ServerResponse,
  cut: boolean,
): void {
  const headers = { ...incoming.headers, 'x-forwarded-for': '192.0.2.50' };
  const passed = request(
    `${target}${incoming.url}`,
    { method: incoming.method ?? 'GET', headers },
    (answered) => {
      reply.writeHead(answered.statusCode ?? 502, answered.headers);
      if (!cut) return void answered.pipe(reply);
      answered.once('data', (chunk: Buffer) => {
        reply.write(chunk.subarray(0, Math.ceil(chunk.length / 2)));
        setTimeout(() => reply.socket?.destroy(), 20);
      });
    },
  );
  passed.on('error', () => reply.destroy());
  incoming.pipe(passed);
}
