/** Queries for a licensed client and its missing updates, and the actions on it. Every action refreshes the client in its list. */
import {
  allowReactivationEndpoint,
  clientExposureEndpoint,
  type LicensedClient,
  licensedClientEndpoint,
  newActivationCodeEndpoint,
  restoreClientEndpoint,
  revokeClientEndpoint,
} from '@patch/contract/licensing/licensed-client-endpoints.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../api/api-query.ts';
import { callApi } from '../api/call-api.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useConfirmedAction } from '../widgets/use-confirmed-action.ts';

/** The contract reads the number from the text. */
export const toParams = (id: number) => ({ params: { id: String(id) } as never });

export const useClient = (id: number) =>
  useQuery(apiQuery(queryKeys.clients.detail(id), licensedClientEndpoint, toParams(id)));

export const useExposure = (id: number) =>
  useQuery(apiQuery(queryKeys.clients.exposure(id), clientExposureEndpoint, toParams(id)));

export function useRefreshClient(): (client: LicensedClient) => Promise<void> {
  const queries = useQueryClient();
  return async (client) => {
    queries.setQueryData(queryKeys.clients.detail(client.id), client);
    await queries.invalidateQueries({ queryKey: queryKeys.clients.all() });
    await queries.invalidateQueries({ queryKey: queryKeys.dashboard.all() });
  };
}

const actions = {
  revoke: {
    endpoint: revokeClientEndpoint,
    question: (name: string) => ({
      title: `Revoke ${name}?`,
      body: 'Requests are refused until it is restored. The client keeps what it has already fetched.',
      danger: true,
      yes: 'Revoke',
    }),
    success: (name: string) => `${name} is revoked`,
  },
  restore: {
    endpoint: restoreClientEndpoint,
    question: (name: string) => ({
      title: `Restore ${name}?`,
      body: 'Requests are accepted again with its existing token.',
      yes: 'Restore',
    }),
    success: (name: string) => `${name} is restored`,
  },
  createCode: {
    endpoint: newActivationCodeEndpoint,
    question: () => ({
      title: 'Create a new activation code?',
      body: 'The current code and its token stop working immediately; the client must be activated again.',
      danger: true,
      yes: 'Create code',
    }),
    success: () => 'New activation code created',
  },
  allowReactivation: {
    endpoint: allowReactivationEndpoint,
    question: (name: string) => ({
      title: `Allow ${name} to activate again?`,
      body: 'The activation code can be used once more within 24 hours. The current client keeps its access until the new activation.',
      yes: 'Allow',
    }),
    success: (name: string) => `${name} can activate again`,
  },
} as const;

interface ClientAction {
  readonly action: keyof typeof actions;
  readonly client: LicensedClient;
}

/** Returns a function that runs an action of an administrator after a confirmation. */
export function useClientAction() {
  const refreshClient = useRefreshClient();
  return useConfirmedAction({
    question: ({ action, client }: ClientAction) => actions[action].question(client.clientName),
    run: async ({ action, client: { id } }) =>
      refreshClient(await callApi(actions[action].endpoint, toParams(id))),
    success: ({ action, client }) => actions[action].success(client.clientName),
  });
}
