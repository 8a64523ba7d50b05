/** Routes for the keys whose bundles this installation trusts. */
import {
  type BundleKey,
  bundleKeysEndpoint,
  distrustBundleKeyEndpoint,
  trustBundleKeyEndpoint,
} from '@patch/contract/bundle-endpoints.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import { toFingerprint } from '../../platform/secrets/service-signer.ts';
import { addBundleKey, readTrustedKeys, removeBundleKey } from './bundle-key-store.ts';
import { type DownloadRoutes, requireDownloads } from './download-routes.ts';

export function bundleKeyRoutes(
  route: RouteRegistrar,
  { database, downloads, clock }: DownloadRoutes,
): void {
  route(bundleKeysEndpoint, async () => {
    const { publicKey, fingerprint } = requireDownloads(downloads).signer;
    const keys = await readTrustedKeys(database);
    return { own: { publicKey, fingerprint }, objList: [...keys], totalCount: keys.length };
  });

  route(trustBundleKeyEndpoint, async (request) => {
    const { name, publicKey } = request.body;
    const key: BundleKey = {
      name,
      publicKey,
      fingerprint: toFingerprint(publicKey),
      addedAt: clock(),
      addedBy: requireUser(request).name,
    };
    if (publicKey === requireDownloads(downloads).signer.publicKey)
      throw new AppError(
        'own_key',
        'This is the key of this installation; its own bundles are trusted anyway.',
      );
    if (!(await addBundleKey(database, key)))
      throw new AppError('key_known', 'This key is already trusted.');
    request.changed({
      subject: `bundle key ${key.fingerprint}`,
      after: { name, fingerprint: key.fingerprint },
    });
    return key;
  });

  route(distrustBundleKeyEndpoint, async (request) => {
    const removed = await removeBundleKey(database, request.params.fingerprint);
    if (removed === null)
      throw new AppError('no_such_key', 'This key is not one of the trusted keys.');
    request.changed({
      subject: `bundle key ${removed.fingerprint}`,
      before: { name: removed.name, fingerprint: removed.fingerprint },
    });
    return { message: `Bundles from ${removed.name} are no longer trusted.` };
  });
}
