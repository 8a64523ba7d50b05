/** A licensed client of the measured service: registered by the administrator, activated, and called with its token. */
import { activateEndpoint } from '@patch/contract/client-protocol-endpoints.ts';
import {
  type ClientEntry,
  createClientEndpoint,
  LicensedClient,
} from '@patch/contract/licensed-client-endpoints.ts';
import type { RunningService } from './bench-service.ts';

export type ClientCall = (
  method: string,
  path: string,
  more?: { readonly body?: object; readonly headers?: Readonly<Record<string, string>> },
) => Promise<Response>;

const entry: ClientEntry = {
  clientName: 'Bench',
  licenseType: 'perpetual',
  licenseExpiry: null,
  deploymentMode: 'standalone',
  environment: 'test',
  technicianLicence: 'named',
  technicians: 1,
  itAssets: 1,
  nonItAssets: 1,
  endPoints: 1,
  families: ['almaLinux'],
  contactEmail: '',
  notes: '',
};

/** A client that is licensed for AlmaLinux; answers the code that activates it. */
export async function registerClient(
  { client }: RunningService,
  more: Partial<ClientEntry> = {},
): Promise<string> {
  const { status, text } = await client.ask('POST', `/api${createClientEndpoint.path}`, {
    ...entry,
    ...more,
  });
  if (status !== 201) throw new Error(`The client was not registered: ${status} ${text}`);
  return LicensedClient.parse(JSON.parse(text)).activationCode;
}

/** Registers and activates one; answers its token. */
export async function activatedToken(
  service: RunningService,
  more: Partial<ClientEntry> = {},
): Promise<string> {
  const activationCode = await registerClient(service, more);
  const call = callAs(service.url, null);
  const reply = await call(activateEndpoint.method, activateEndpoint.path, {
    body: { activationCode, applicationVersion: 'bench', hostName: 'bench' },
  });
  return activateEndpoint.reply.parse(await reply.json()).token;
}

/** Calls from another machine, by way of a proxy. What is not answered as asked ends the measurement. */
export function callAs(url: string, token: string | null): ClientCall {
  return async (method, path, { body, headers = {} } = {}) => {
    const reply = await fetch(`${url}/api${path}`, {
      method,
      headers: {
        'x-forwarded-for': '192.0.2.9',
        ...(token !== null && { authorization: `Apikey ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!reply.ok && reply.status !== 304)
      throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
    return reply;
  };
}
