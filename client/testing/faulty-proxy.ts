/** Stands between a client and the repository, and does to requests what networks do. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

/** `hold`: never answered. `drop`: the connection is closed. `cut`: closed in the middle of the reply. A number: answered with that status. */
export type Fault = 'hold' | 'drop' | 'cut' | number;

export interface FaultyProxy {
  readonly url: string;
  /** Of those that were asked: `GET /api/client/changes?…`. */
  readonly asked: string[];
  /** What is done to the n-th request, counted from 1; null: nothing. */
  fault: (request: string, n: number) => Fault | null | Promise<null>;
  close(): Promise<void>;
}

export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const server = createServer((asked, reply) => void serve(asked, reply));
  async function serve(asked: IncomingMessage, reply: ServerResponse): Promise<void> {
    const line = `${asked.method} ${asked.url}`;
    proxy.asked.push(line);
    const fault = await proxy.fault(line, proxy.asked.length);
    if (fault === 'hold') return;
    if (fault === 'drop') return void asked.socket.destroy();
    if (typeof fault === 'number')
      return void reply.writeHead(fault, { 'retry-after': '0' }).end('no JSON');
    pass(target, asked, reply, fault === 'cut');
  }
  const proxy: FaultyProxy = {
    url: '',
    asked: [],
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

/** From an address of elsewhere, so that replies are compressed. */
function pass(target: string, asked: IncomingMessage, reply: ServerResponse, cut: boolean): void {
  const headers = { ...asked.headers, 'x-forwarded-for': '192.0.2.50' };
  const passed = request(
    `${target}${asked.url}`,
    { method: asked.method ?? 'GET', headers },
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
  asked.pipe(passed);
}
