/** A repository on loopback that activates clients, answers heartbeats, and serves a published tree with faults. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json as readJson } from 'node:stream/consumers';
import { handedPeriod } from '@patch/contract/tree/family-keys.ts';
import type { PublishedTree } from './published-tree.ts';

/**
 * `cut`: half of the file, as if it were all. `endless`: the file, and never an end. `stall`: the first byte, and no more. `drop`:
 * half of the file, then the connection is closed. Others: that status, other bytes, a redirect.
 */
export type TreeFault =
  | { readonly kind: 'cut' | 'endless' | 'stall' | 'drop' }
  | { readonly status: number }
  | { readonly bytes: Uint8Array }
  | { readonly redirect: string };

interface Heartbeat {
  readonly positions?: Readonly<Record<string, number>>;
  readonly repoUpdatedOn?: number;
}

export interface TreeRepository {
  readonly url: string;
  tree: PublishedTree;
  /** Paths of the tree that were asked for. */
  readonly requests: string[];
  readonly heartbeats: Heartbeat[];
  /** Headers of the last request for the tree. */
  headers: IncomingMessage['headers'];
  /** Requests for changes, each as its query. */
  readonly changes: string[];
  /** Returns the fault of a path below the tree's address. */
  fault: (path: string) => TreeFault | null;
  /** Changes the access that a heartbeat gives; null: no tree. */
  access: (access: object) => object | null;
  /** Answers everything below /api with 503. */
  outage: boolean;
  /** Refuses heartbeats with this code. */
  refusal: string | null;
  close(): Promise<void>;
}

export async function startTreeRepository(tree: PublishedTree): Promise<TreeRepository> {
  const server = createServer((request, reply) => void serve(repository, request, reply));
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  const repository: TreeRepository = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tree,
    requests: [],
    heartbeats: [],
    headers: {},
    changes: [],
    fault: () => null,
    access: (access) => access,
    outage: false,
    refusal: null,
    close: async () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
  return repository;
}

async function serve(
  repository: TreeRepository,
  request: IncomingMessage,
  reply: ServerResponse,
): Promise<void> {
  const { pathname, search } = new URL(request.url ?? '', 'http://x');
  if (pathname.startsWith('/tree/'))
    return serveFile(repository, request, reply, pathname.slice('/tree/'.length));
  const answer = (status: number, json: object) =>
    void reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
  if (repository.outage) return answer(503, {});
  if (pathname === '/api/client/changes') {
    repository.changes.push(search);
    return answer(200, findChanges(repository.tree, new URLSearchParams(search)));
  }
  const body = await readJson(request);
  if (pathname === '/api/client/activate')
    return answer(200, { ...describeLicence(repository.tree), token: 'prc_secret' });
  repository.heartbeats.push(body as Heartbeat);
  if (repository.refusal !== null)
    return answer(403, {
      code: repository.refusal,
      userMessage: 'It was refused.',
      requestId: '1',
    });
  return answer(200, { ...describeLicence(repository.tree), tree: describeAccess(repository) });
}

function describeAccess({ tree, access }: TreeRepository): object | null {
  const period = handedPeriod(Date.now());
  return access({
    address: '/tree',
    root: tree.rootText,
    period,
    keys: tree.familyKeys(period),
    nextHeartbeat: Date.now() + 86_400_000,
  });
}

export const describeLicence = ({ lists }: PublishedTree) => ({
  clientId: 1,
  clientName: 'North Hospital',
  licenseType: 'standard',
  licenseExpiry: null,
  families: [],
  lists: [...lists.values()].filter(({ family }) => family !== null).map(({ name }) => name),
  optionalLists: ['vulnerabilities'],
});

const findChanges = (tree: PublishedTree, query: URLSearchParams) => ({
  rows: query.has('since')
    ? []
    : [...tree.list(query.get('list') ?? '').live.values()].map(
        (line) => JSON.parse(line) as object,
      ),
  nextCursor: 'cursor',
  more: false,
});

function serveFile(
  repository: TreeRepository,
  request: IncomingMessage,
  reply: ServerResponse,
  path: string,
): void {
  repository.requests.push(path);
  repository.headers = request.headers;
  const fault = repository.fault(path);
  const file = repository.tree.files.get(path);
  if (fault !== null && 'status' in fault) return void reply.writeHead(fault.status).end();
  if (fault !== null && 'redirect' in fault)
    return void reply.writeHead(302, { location: fault.redirect }).end();
  const bytes = fault !== null && 'bytes' in fault ? fault.bytes : file;
  if (bytes === undefined && fault === null) return void reply.writeHead(404).end();
  const sent = bytes ?? Buffer.alloc(0);
  if (fault === null || !('kind' in fault)) return void reply.end(sent);
  if (fault.kind === 'cut') return void reply.end(sent.subarray(0, Math.floor(sent.length / 2)));
  if (fault.kind === 'stall') return void reply.write(Buffer.from('{'));
  if (fault.kind === 'endless') {
    reply.write(sent);
    return sendEndlessly(reply);
  }
  reply.write(sent.subarray(0, Math.ceil(sent.length / 2)));
  setTimeout(() => reply.destroy(), 20);
}

const filler = Buffer.alloc(65_536, '\n');

function sendEndlessly(reply: ServerResponse): void {
  if (reply.destroyed) return;
  if (reply.write(filler)) setImmediate(() => sendEndlessly(reply));
  else reply.once('drain', () => sendEndlessly(reply));
}
