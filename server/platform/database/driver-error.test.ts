/** The driver itself loses servers that behave like those that are starting, stopping, crashing and gone. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { isDatabaseUnavailable } from './database-unavailable.ts';
import { driverError } from './driver-error.ts';
import { type ServerOptions, serverDatabase } from './server-database.ts';

/** A message of PostgreSQL's protocol: its type, its length and its content. */
function message(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(content.length + 4);
  return Buffer.concat([Buffer.from(type), length, content]);
}

const fatal = (code: string) =>
  message('E', Buffer.from(`SFATAL\0VFATAL\0C${code}\0Mterminating connection\0\0`));
const signedIn = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]);

/** Starts a server that does the same with each connection. */
async function startBroken(onConnection: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    onConnection(socket);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await once(server, 'listening');
  return `postgres://someone@127.0.0.1:${(server.address() as AddressInfo).port}/any`;
}

const onFirst = (act: (socket: Socket) => void) => (socket: Socket) =>
  void socket.once('data', () => act(socket));
const onSecond = (act: (socket: Socket) => void) =>
  onFirst((socket) => {
    socket.write(signedIn);
    socket.once('data', () => act(socket));
  });

/** Returns the codes of a statement, of one that can be cancelled, and of a transaction. */
async function readCodes(url: string, options: Partial<ServerOptions> = {}) {
  const database = serverDatabase({ url, connectTimeout: 500, ...options });
  onTestFinished(() => database.close());
  const { signal } = new AbortController();
  const errors = [
    await database.query('select 1').catch((error: unknown) => error),
    await database.query('select 1', [], { signal }).catch((error: unknown) => error),
    await database.transaction((tx) => tx.query('select 1')).catch((error: unknown) => error),
  ];
  return errors.map((error) => (isDatabaseUnavailable(error) ? error.code : String(error)));
}

const lost = ['connection', 'connection', 'connection'];

describe('a lost server', () => {
  test.each([
    ['closes a connection at once', (socket: Socket) => socket.end()],
    ['resets a connection at once', (socket: Socket) => socket.resetAndDestroy()],
    ['never replies to a connection', () => undefined],
    ['closes a connection that was to sign in', onFirst((socket) => socket.end())],
    ['is starting', onFirst((socket) => socket.end(fatal('57P03')))],
    ['has a failing network', onFirst((socket) => socket.end(fatal('08006')))],
    [
      'ends a connection in the packet that opens it',
      onFirst((socket) => socket.end(Buffer.concat([signedIn, fatal('57P01')]))),
    ],
    ['closes a connection during a statement', onSecond((socket) => socket.end())],
    ['resets a connection during a statement', onSecond((socket) => socket.resetAndDestroy())],
    ['is stopping during a statement', onSecond((socket) => socket.end(fatal('57P01')))],
    ['crashes during a statement', onSecond((socket) => socket.end(fatal('57P02')))],
    ['ends an idle transaction', onSecond((socket) => socket.end(fatal('25P03')))],
  ])('is recognized when it %s', async (_, onConnection) => {
    expect(await readCodes(await startBroken(onConnection))).toEqual(lost);
  });

  test('is recognized when its socket, port or name does not exist', async () => {
    const folder = encodeURIComponent(join(temporaryFolder(onTestFinished), 'run'));
    expect(await readCodes(`postgres://someone@localhost/any?host=${folder}`)).toEqual(lost);
    expect(await readCodes('postgres://someone@127.0.0.1:1/any')).toEqual(lost);
    // Both addresses of the name refuse, with one error for each.
    expect(await readCodes('postgres://someone@localhost:1/any')).toEqual(lost);
    expect(await readCodes('postgres://someone@no-such-host.invalid/any')).toEqual(lost);
  });

  test('is recognized when it does not reply to a statement in time', async () => {
    const url = await startBroken(onSecond(() => undefined));
    const codes = await readCodes(url, { replyTimeout: 200 });
    expect(codes).toEqual(['timeout', 'timeout', 'timeout']);
  });

  test('is recognized after the service has closed its connections', async () => {
    const database = serverDatabase({ url: inject('cluster').url });
    await database.close();
    await expect(database.query('select 1')).rejects.toMatchObject({ code: 'closed' });
  });
});

test('leaves refused statements and errors of other code as they are', async () => {
  const database = serverDatabase({ url: inject('cluster').url });
  onTestFinished(() => database.close());
  await expect(database.query('select no_such_column')).rejects.toMatchObject({ code: '42703' });
  await expect(database.query('select 1 / 0')).rejects.toMatchObject({ code: '22012' });
  const mistake = new TypeError('values is undefined');
  expect(driverError(mistake)).toBe(mistake);
});

test('names every address that refused', () => {
  const errors = ['connect ECONNREFUSED ::1:1', 'connect ECONNREFUSED 127.0.0.1:1'];
  const refused = Object.assign(new AggregateError(errors.map((each) => new Error(each))), {
    code: 'ECONNREFUSED',
  });
  expect(driverError(refused)).toMatchObject({
    code: 'connection',
    message: `The PostgreSQL server cannot be reached: ${errors.join(', ')}`,
  });
});
