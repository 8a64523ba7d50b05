/** Asks what this installation is called. A service that does not answer goes by the name it had. */
import { aboutEndpoint } from '@patch/contract/about-endpoint.ts';
import { become } from './about.ts';
import { callApi } from './call-api.ts';

export async function fetchAbout(): Promise<void> {
  await callApi(aboutEndpoint).then(become, () => undefined);
}
