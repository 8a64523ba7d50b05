/** A receiver of channels on loopback for tests. It records the requests, and answers as the test says. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Answers a request; the default is a 204. */
export type Answer = (response: ServerResponse, request: ReceivedRequest) => void | Promise<void>;

export class Receiver {
  readonly received: ReceivedRequest[] = [];
  /** The most requests that were open at once. */
  mostOpen = 0;
  answer: Answer = (response) => void response.writeHead(204).end();
  #open = 0;
  readonly #server;
  readonly #scheme: string;

  /** @param tls - Key and certificate; absent: HTTP. */
  constructor(tls?: { readonly key: string; readonly cert: string }) {
    const handle = (request: IncomingMessage, response: ServerResponse) =>
      void this.#handle(request, response).catch(() => response.destroy());
    this.#server = tls === undefined ? createServer(handle) : createTlsServer(tls, handle);
    this.#scheme = tls === undefined ? 'http' : 'https';
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, '127.0.0.1', resolve);
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  address(path = '/hook', host = '127.0.0.1'): string {
    return `${this.#scheme}://${host}:${this.port}${path}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#open += 1;
    this.mostOpen = Math.max(this.mostOpen, this.#open);
    response.once('close', () => {
      this.#open -= 1;
    });
    let body = '';
    request.setEncoding('utf8');
    for await (const piece of request) body += piece as string;
    const received = {
      path: request.url ?? '',
      headers: request.headers as Readonly<Record<string, string>>,
      body,
    };
    this.received.push(received);
    await this.answer(response, received);
  }
}
