/** Opens the port, or explains in one sentence why it cannot be opened, and closes it within a time. */
import type { AddressInfo } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { errorCode } from '@patch/contract/base/error-code.ts';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { StartupError } from '../errors/startup-error.ts';
import type { Log } from '../logging/logging.ts';

/**
 * Returns the address to show to people.
 * @throws StartupError when the port cannot be opened.
 */
export async function listen(
  app: FastifyInstance,
  { host, port }: Pick<Config, 'host' | 'port'>,
): Promise<string> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const reason = reasons[errorCode(error) ?? ''];
    if (reason === undefined) throw error;
    throw new StartupError(reason(host, port), { cause: error });
  }
  return getAddress(app);
}

/** Returns the address for a browser on this machine. The app must be listening. */
export function getAddress(app: FastifyInstance): string {
  const { address, port } = app.server.address() as AddressInfo;
  return `http://${shownHost(address)}:${port}`;
}

const reasons: Record<string, (host: string, port: number) => string> = {
  EADDRINUSE: (host, port) =>
    `Port ${port} on ${host} is in use by another program. Stop that program, or set PORT to a free port.`,
  EACCES: (_host, port) =>
    `Port ${port} may only be opened by the system's administrator. Set PORT to a port above 1023.`,
  EADDRNOTAVAIL: (host) =>
    `HOST ${host} is not an address of this machine. Set it to an address of this machine, or to 0.0.0.0 for all.`,
  ENOTFOUND: (host) =>
    `HOST ${host} is not a name of this machine. Set it to an address, or to 0.0.0.0 for all.`,
};

function shownHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

/** Stops listening, waits for running requests, and aborts those that do not end in time. */
export async function closeApp(
  app: FastifyInstance,
  log: Pick<Log, 'warn'>,
  timeoutMs = 10_000,
): Promise<void> {
  const timer = new AbortController();
  // Browsers leave connections open after the last reply.
  const closingIdle = setInterval(() => app.server.closeIdleConnections(), 50);
  const closed = app.close().finally(() => {
    clearInterval(closingIdle);
    timer.abort();
  });
  const isLate = after(timeoutMs, true, { signal: timer.signal }).catch(() => false);
  if (await isLate) {
    log.warn('requests did not end in time and are aborted');
    app.server.closeAllConnections();
  }
  await closed;
}
