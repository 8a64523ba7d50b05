/** Serves the fixtures of all vendors like a mirror. Documents can be replaced and replies paused. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { vendorFeeds } from '@patch/catalogue/feeds.ts';
import { fileInMirror } from '@patch/catalogue/parsers/mirror-layout.ts';
import { findFixtures } from '@patch/catalogue/testing/vendor-fixtures.ts';

export interface FixtureVendors {
  readonly url: string;
  /** Replaces the fixture at `host/path`. */
  publish(path: string, body: string): void;
  /** Pauses further replies after their first byte. */
  pause(): void;
  resume(): void;
  stop(): void;
}

export async function startFixtureVendors(): Promise<FixtureVendors> {
  const folders = [...new Set(Object.values(vendorFeeds).map(findFixtures))];
  const published = new Map<string, Buffer>();
  let paused: (() => void)[] | null = null;

  async function readDocument(path: string): Promise<Buffer | null> {
    const newer = published.get(path);
    if (newer !== undefined) return newer;
    for (const folder of folders) {
      const file = await fileInMirror(folder, `https:/${path}`).catch(() => null);
      if (file !== null) return readFile(file);
    }
    return null;
  }

  const server = createServer((request, response) => {
    void readDocument(request.url ?? '').then((document) => {
      if (document === null) return response.writeHead(404).end();
      response.writeHead(200, { 'Content-Length': document.length });
      response.write(document.subarray(0, 1));
      const rest = () => void response.end(document.subarray(1));
      if (paused === null) rest();
      else paused.push(rest);
      return response;
    });
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    publish: (path, body) => void published.set(`/${path}`, Buffer.from(body)),
    pause() {
      paused ??= [];
    },
    resume() {
      for (const rest of paused ?? []) rest();
      paused = null;
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
