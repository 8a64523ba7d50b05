/** The actions of an administrator on a licensed client, each with a confirmation. */
import {
  allowReactivationEndpoint,
  type LicensedClient,
  newActivationCodeEndpoint,
  restoreClientEndpoint,
  revokeClientEndpoint,
} from '@patch/contract/licensed-client-endpoints.ts';
import { callApi } from '../api/call-api.ts';
import { useConfirmedAction } from '../widgets/use-confirmed-action.ts';
import { useRefreshClient } from './use-client.ts';

export type ClientAction = (client: LicensedClient) => Promise<boolean>;

export interface ClientActions {
  readonly revoke: ClientAction;
  readonly restore: ClientAction;
  readonly createCode: ClientAction;
  readonly allowReactivation: ClientAction;
}

const toParams = ({ id }: LicensedClient) => ({ params: { id: String(id) } as never });

export function useClientActions(): ClientActions {
  const refreshClient = useRefreshClient();
  return {
    revoke: useConfirmedAction({
      question: ({ clientName }: LicensedClient) => ({
        title: `Revoke ${clientName}?`,
        body: 'Requests are refused until it is restored. The client keeps what it has already fetched.',
        danger: true,
        yes: 'Revoke',
      }),
      run: async (client) => refreshClient(await callApi(revokeClientEndpoint, toParams(client))),
      success: ({ clientName }) => `${clientName} is revoked`,
    }),
    restore: useConfirmedAction({
      question: ({ clientName }: LicensedClient) => ({
        title: `Restore ${clientName}?`,
        body: 'Requests are accepted again with its existing token.',
        yes: 'Restore',
      }),
      run: async (client) => refreshClient(await callApi(restoreClientEndpoint, toParams(client))),
      success: ({ clientName }) => `${clientName} is restored`,
    }),
    createCode: useConfirmedAction<LicensedClient>({
      question: () => ({
        title: 'Create a new activation code?',
        body: 'The current code and its token stop working immediately; the client must be activated again.',
        danger: true,
        yes: 'Create code',
      }),
      run: async (client) =>
        refreshClient(await callApi(newActivationCodeEndpoint, toParams(client))),
      success: () => 'New activation code created',
    }),
    allowReactivation: useConfirmedAction({
      question: ({ clientName }: LicensedClient) => ({
        title: `Allow ${clientName} to activate again?`,
        body: 'The activation code can be used once more within 24 hours. The current client keeps its access until the new activation.',
        yes: 'Allow',
      }),
      run: async (client) =>
        refreshClient(await callApi(allowReactivationEndpoint, toParams(client))),
      success: ({ clientName }) => `${clientName} can activate again`,
    }),
  };
}
