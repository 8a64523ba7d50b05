/** Replies to data that is not a valid HTTP request, before routing: garbage, control characters, too long headers. */
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Problem } from '@patch/contract/problem.ts';
import type { Log } from '../logging/logging.ts';

/** Not imported: an import would read every export, including an unused HTTP client, which takes 100 ms of the start. */
const { maxHeaderSize } = process.getBuiltinModule('node:http');

/** Returns ten random hexadecimal digits of a UUID. Node caches random bytes for UUIDs, which is ten times faster than generating five. */
export const newRequestId = (): string => randomUUID().replace('-', '').slice(0, 10);

interface Unreadable {
  readonly status: '400 Bad Request' | '413 Content Too Large';
  readonly code: string;
  readonly userMessage: string;
}

/** Replies by the codes of Node's parser. */
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
  userMessage: 'This is not a valid HTTP request. Check its address and headers.',
};

/** Closes the connection too, since the begin of the next request is unknown. */
export function rejectUnreadable(
  log: Pick<Log, 'info'>,
): (error: Error & { readonly code?: string }, socket: Socket) => void {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const requestId = newRequestId();
    const { status, code, userMessage } = byCode[error.code ?? ''] ?? unreadable;
    // The bytes are not logged, since they may contain a token.
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
    // Closes the connection even if the caller continues to send.
    socket.destroySoon();
  };
}
