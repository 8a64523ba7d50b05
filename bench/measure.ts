/** Times calls, one after the other or by several clients at once, over HTTP with connections kept alive. */
import { Agent, request } from 'node:http';

export interface Times {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly most: number;
  readonly calls: number;
}

export function timesOf(milliseconds: readonly number[]): Times {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  const at = (part: number) =>
    sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), most: at(1), calls: sorted.length };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
  return (lower + upper) / 2;
}

/** Calls in all are shared among the clients; the n-th call is `call(n)`. None is begun after `longest` milliseconds. */
export async function measure(
  clients: number,
  calls: number,
  call: (n: number) => Promise<void>,
  longest = 60_000,
): Promise<Times> {
  const end = performance.now() + longest;
  return timesOf(await timedCalls(clients, { from: 0, to: calls, end }, call));
}

/** Milliseconds of each call from `from` up to `to`, shared among the clients. None is begun after `end`. */
export async function timedCalls(
  clients: number,
  { from, to, end }: { readonly from: number; readonly to: number; readonly end: number },
  call: (n: number) => Promise<void>,
): Promise<readonly number[]> {
  const taken: number[] = [];
  let next = from;
  const client = async () => {
    while (next < to && performance.now() < end) {
      const n = next;
      next += 1;
      const since = performance.now();
      await call(n);
      taken.push(performance.now() - since);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return taken;
}

export interface HttpClient {
  ask(
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
  ): Promise<{ readonly status: number; readonly text: string }>;
  close(): void;
}

/** `authorization`: the header's whole value. */
export function httpClient(
  base: string,
  authorization: string | null,
  maxSockets = 16,
): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets });
  const authorized = authorization === null ? {} : { authorization };
  return {
    ask: (method, path, body) =>
      new Promise((resolve, reject) => {
        const asked = request(
          new URL(path, base),
          {
            method,
            agent,
            headers:
              body === undefined
                ? authorized
                : { ...authorized, 'content-type': 'application/json' },
          },
          (reply) => {
            const chunks: Buffer[] = [];
            reply.on('data', (chunk: Buffer) => chunks.push(chunk));
            reply.on('end', () =>
              resolve({ status: reply.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
            );
            reply.on('error', reject);
          },
        );
        asked.on('error', reject);
        asked.end(body === undefined ? undefined : JSON.stringify(body));
      }),
    close: () => agent.destroy(),
  };
}
