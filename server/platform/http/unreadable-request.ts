/** Answers what cannot be read as an HTTP request, before any route is known: garbage, control characters, headers without end. */
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Problem } from '@patch/contract/problem.ts';
import type { Log } from '../logging/logging.ts';

/** Not imported: an import of this module reads each of its exports, and with them a client for HTTP that the service does not use (100 ms of a start). */
const { maxHeaderSize } = process.getBuiltinModule('node:http');

/** Ten random hexadecimal digits. Node makes UUIDs from random bytes that it has in store, which is ten times faster than asking for five. */
export const newRequestId = (): string => randomUUID().replace('-', '').slice(0, 10);

interface Unreadable {
  readonly status: '400 Bad Request' | '413 Content Too Large';
  readonly code: string;
  readonly userMessage: string;
}

/** By the codes of Node's parser. */
const byCode: Readonly<Record<string, Unreadable>> = {
  HPE_HEADER_OVERFLOW: {
    status: '413 Content Too Large',
    code: 'too_large',
    userMessage: `The address and the headers may have at most ${maxHeaderSize / 1024} KiB together. Send less.`,
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '400 Bad Request',
    code: 'too_slow',
    userMessage: 'The headers of the request did not arrive in time. Send it again.',
  },
};

const unreadable: Unreadable = {
  status: '400 Bad Request',
  code: 'bad_request',
  userMessage: 'This is not an HTTP request that can be read. Check its address and headers.',
};

/** The connection is closed: where the next request would begin is not known. */
export function rejectUnreadable(
  log: Pick<Log, 'info'>,
): (error: Error & { readonly code?: string }, socket: Socket) => void {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const requestId = newRequestId();
    const { status, code, userMessage } = byCode[error.code ?? ''] ?? unreadable;
    // The bytes themselves may hold a token.
    log.info(
      {
        requestId,
        reason: error.code,
        status: Number(status.slice(0, 3)),
        address: socket.remoteAddress,
      },
      'unreadable request',
    );
    if (!socket.writable) return void socket.destroy();
    const problem: Problem = { userMessage, code, requestId };
    const body = JSON.stringify(problem);
    const headers = [
      `HTTP/1.1 ${status}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      'Cache-Control: no-store',
      'Connection: close',
    ];
    socket.end(`${headers.join('\r\n')}\r\n\r\n${body}`);
    // A caller that goes on sending does not hold the connection.
    socket.destroySoon();
  };
}
