/** Generates load on two addresses: clients reuse connections, and retry once on the other address when a connection breaks. */
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

export interface LoadRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
}

export interface LoadReply {
  readonly status: number;
  readonly body: string;
}

const clients = 8;

export class RetryingLoad {
  /** Half of the clients start with the first address, half with the second. It can be changed while running. */
  targets: readonly [string, string];
  answered = 0;
  /** Requests that were retried because the first connection broke. */
  retried = 0;
  /** Requests without a reply, or with a status other than 200, described in words. */
  readonly lost: string[] = [];
  readonly #headers: Readonly<Record<string, string>>;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #running: Promise<void>[];
  #ended = false;

  constructor(
    targets: readonly [string, string],
    headers: Readonly<Record<string, string>>,
    requests: readonly LoadRequest[],
  ) {
    this.targets = targets;
    this.#headers = headers;
    this.#running = Array.from({ length: clients }, (_, client) => this.#client(client, requests));
  }

  /** Resolves when this many more replies have arrived. */
  async more(count: number): Promise<void> {
    for (const enough = this.answered + count; this.answered < enough; ) await pause(10);
  }

  async stop(): Promise<void> {
    this.#ended = true;
    await Promise.all(this.#running);
    this.#agent.destroy();
  }

  async #client(client: number, requests: readonly LoadRequest[]): Promise<void> {
    for (let turn = client; !this.#ended; turn++) {
      const loadRequest = requests[turn % requests.length] ?? {
        method: 'GET',
        path: '/api/health',
      };
      const [first, second] = client % 2 === 0 ? this.targets : this.targets.toReversed();
      try {
        const { status, body } = await this.#ask(first ?? '', loadRequest).catch(() => {
          this.retried++;
          return this.#ask(second ?? '', loadRequest);
        });
        if (status !== 200) this.lost.push(`${loadRequest.path}: ${status} ${body}`);
      } catch (error) {
        this.lost.push(`${loadRequest.path}: ${String(error)}`);
      }
      this.answered++;
    }
  }

  #ask(target: string, { method, path, body }: LoadRequest): Promise<LoadReply> {
    return ask(`${target}${path}`, {
      method,
      agent: this.#agent,
      headers: this.#headers,
      ...(body && { body }),
    });
  }
}

export interface LoadOptions {
  readonly method: string;
  readonly agent: Agent;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** Rejects when the connection breaks before the reply is complete. */
export function ask(
  url: string,
  { method, agent, headers, body }: LoadOptions,
): Promise<LoadReply> {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? '' : JSON.stringify(body);
    const about =
      text === ''
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
    const clientRequest = request(
      url,
      { method, agent, headers: { ...headers, ...about } },
      (answer: IncomingMessage) => {
        let received = '';
        answer.setEncoding('utf8');
        answer.on('data', (piece: string) => (received += piece));
        answer.once('error', reject);
        answer.once('end', () => resolve({ status: answer.statusCode ?? 0, body: received }));
      },
    );
    clientRequest.once('error', reject);
    clientRequest.end(text);
  });
}
