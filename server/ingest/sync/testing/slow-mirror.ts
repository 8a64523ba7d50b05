/** A mirror of the small feed for tests, that can be held: it answers, but does not go on before it is let. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SmallRecord } from './small-feed.ts';

export interface SlowMirror {
  readonly url: string;
  readonly parts: Record<string, readonly SmallRecord[]>;
  /** From now on an answer waits after its first byte. */
  hold(): void;
  release(): void;
  close(): void;
}

export async function startSlowMirror(
  parts: Record<string, readonly SmallRecord[]>,
): Promise<SlowMirror> {
  let held = false;
  let waiting: (() => void)[] = [];
  const answer = (response: ServerResponse, body: string) => {
    response.writeHead(200, { 'Content-Length': Buffer.byteLength(body) });
    response.write(body.slice(0, 1));
    const rest = () => void response.end(body.slice(1));
    if (held) waiting.push(rest);
    else rest();
  };
  const server = createServer((request, response) => {
    const records = parts[/\/(\w+)\.json$/.exec(request.url ?? '')?.[1] ?? ''];
    if (records === undefined) response.writeHead(404).end();
    else answer(response, JSON.stringify(records));
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    parts,
    hold() {
      held = true;
    },
    release() {
      held = false;
      for (const rest of waiting) rest();
      waiting = [];
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
