/** Fetches name and time zone of the installation. The stored ones stay when the service is unreachable. */
import { aboutEndpoint } from '@patch/contract/operations/about-endpoint.ts';
import { setAbout } from './about.ts';
import { callApi } from './call-api.ts';

export async function fetchAbout(): Promise<void> {
  await callApi(aboutEndpoint).then(setAbout, () => undefined);
}
