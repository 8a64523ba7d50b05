/** A licensed client of the measured service: registered by the administrator, activated, and called with its token. */
import { activateEndpoint } from '@patch/contract/licensing/client-protocol-endpoints.ts';
import {
  type ClientEntry,
  createClientEndpoint,
  LicensedClient,
} from '@patch/contract/licensing/licensed-client-endpoints.ts';
import { type HttpClient, httpClient } from './bench-client.ts';
import type { RunningService } from './bench-service.ts';

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

/** Registers and activates a client for AlmaLinux; returns its token. */
export async function activateClient(
  { url, client }: RunningService,
  more: Partial<ClientEntry> = {},
): Promise<string> {
  const path = `/api${createClientEndpoint.path}`;
  const registered = await client.expect(201, 'POST', path, { ...entry, ...more });
  const { activationCode } = LicensedClient.parse(JSON.parse(registered));
  const anonymous = createClient(url, null);
  const { text } = await anonymous.ask(activateEndpoint.method, `/api${activateEndpoint.path}`, {
    activationCode,
    applicationVersion: 'bench',
    hostName: 'bench',
  });
  anonymous.close();
  return activateEndpoint.reply.parse(JSON.parse(text)).token;
}

/** Calls as from another machine behind a proxy (TRUST_PROXY=1): replies to this very machine are not compressed. */
export function createClient(url: string, token: string | null, maxSockets = 64): HttpClient {
  const authorization = token === null ? {} : { authorization: `Apikey ${token}` };
  return httpClient(url, { 'x-forwarded-for': '192.0.2.9', ...authorization }, maxSockets);
}
