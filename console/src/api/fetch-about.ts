/** Asks what this installation is called. A service that does not answer goes by the name it had. */
import { aboutCall } from '@patch/contract/settings-calls.ts';
import { become } from './about.ts';
import { makeCall } from './make-call.ts';

export async function fetchAbout(): Promise<void> {
  await makeCall(aboutCall).then(become, () => undefined);
}
