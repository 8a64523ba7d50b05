/** HTTP client with connections kept alive. */
import { Agent, request } from 'node:http';

export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly headers: NodeJS.Dict<string | string[]>;
}

export interface HttpClient {
  ask(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Reply>;
  /** Rejects when the status is another one; returns the reply's text. */
  expect(status: number, method: string, path: string, body?: unknown): Promise<string>;
  close(): void;
}

/** `common`: headers of every request. */
export function httpClient(
  base: string,
  common: Readonly<Record<string, string>>,
  maxSockets = 64,
): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets });
  const ask: HttpClient['ask'] = (method, path, body, headers) =>
    new Promise((resolve, reject) => {
      const content = body === undefined ? {} : { 'content-type': 'application/json' };
      const options = { method, agent, headers: { ...common, ...content, ...headers } };
      const sent = request(new URL(path, base), options, (reply) => {
        const chunks: Buffer[] = [];
        reply.on('data', (chunk: Buffer) => chunks.push(chunk));
        reply.on('error', reject);
        reply.on('end', () => {
          const { statusCode: status = 0, headers: given } = reply;
          resolve({ status, text: Buffer.concat(chunks).toString(), headers: given });
        });
      });
      sent.on('error', reject);
      sent.end(body === undefined || Buffer.isBuffer(body) ? body : JSON.stringify(body));
    });
  return {
    ask,
    async expect(expected, method, path, body) {
      const { status, text } = await ask(method, path, body);
      if (status !== expected)
        throw new Error(`${method} ${path} answered ${status}: ${text.slice(0, 500)}`);
      return text;
    },
    close: () => agent.destroy(),
  };
}
