/** A mirror of the small feed for tests, whose responses can be paused. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SmallRecord } from './small-feed.ts';

export interface SlowMirror {
  readonly url: string;
  readonly parts: Record<string, readonly SmallRecord[]>;
  /** Pauses further responses after their first byte. */
  hold(): void;
  release(): void;
  close(): void;
}

export async function startSlowMirror(
  parts: Record<string, readonly SmallRecord[]>,
): Promise<SlowMirror> {
  let isPaused = false;
  let waiting: (() => void)[] = [];
  const answer = (response: ServerResponse, body: string) => {
    response.writeHead(200, { 'Content-Length': Buffer.byteLength(body) });
    response.write(body.slice(0, 1));
    const rest = () => void response.end(body.slice(1));
    if (isPaused) waiting.push(rest);
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
      isPaused = true;
    },
    release() {
      isPaused = false;
      for (const rest of waiting) rest();
      waiting = [];
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
