/** Signs bundles: a signature of the manifest with a key derived from the service's key. */
import { type ServiceSigner, serviceSigner } from '../../platform/secrets/service-signer.ts';

/** @param secret The service's key. */
export function bundleSigner(secret: Uint8Array): ServiceSigner {
  return serviceSigner(secret, 'patch-repository catalogue bundles');
}
