/** Who made a bundle: a signature under the manifest, with a key that follows from the service's key. */
import { type ServiceSigner, serviceSigner } from '../../platform/secrets/service-signer.ts';

/** `secret` is the service's key. */
export function bundleSigner(secret: Uint8Array): ServiceSigner {
  return serviceSigner(secret, 'patch-repository catalogue bundles');
}
