/** Saves the keys of a client that does not reach the service, where the catalogue is published. */
import {
  carriedKeysEndpoint,
  type LicensedClient,
} from '@patch/contract/licensing/licensed-client-endpoints.ts';
import { publishingEndpoint } from '@patch/contract/licensing/publishing-endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../api/api-query.ts';
import { callApi } from '../api/call-api.ts';
import { queryKeys } from '../api/query-keys.ts';
import { saveJson } from '../api/save-json.ts';
import { Button } from '../widgets/button.tsx';
import { useConfirmedAction } from '../widgets/use-confirmed-action.ts';
import { toParams } from './use-client.ts';

export function CarriedKeysButton({
  client,
}: {
  readonly client: Pick<LicensedClient, 'id' | 'clientName' | 'state'>;
}) {
  const { data: publishing } = useQuery(
    apiQuery(queryKeys.downloads.publishing(), publishingEndpoint, {}),
  );
  const save = useConfirmedAction({
    question: () => ({
      title: 'Save keys for a closed network?',
      body: 'For a client that does not reach this service: carry the file to it together with the published catalogue. It opens what is published within the next 20 hours, and all before. Who has it can read what this client may read.',
      yes: 'Save keys',
    }),
    run: async () =>
      saveJson(
        await callApi(carriedKeysEndpoint, toParams(client.id)),
        `keys-of-client-${client.id}.json`,
      ),
    success: () => `The keys of ${client.clientName} are saved`,
  });
  const isLicensed = client.state === 'waiting' || client.state === 'active';
  if (!isLicensed || (publishing?.place ?? null) === null) return null;
  return (
    <Button small onClick={() => void save()}>
      Keys for a closed network
    </Button>
  );
}
