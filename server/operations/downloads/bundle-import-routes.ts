/** Routes for bundles of other installations: upload, preview, apply. */
import { open, rename, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { errorCode } from '@patch/contract/base/error-code.ts';
import {
  applyBundleEndpoint,
  type BundleImport,
  type BundleKey,
  bundleImportsEndpoint,
  bundleKeysEndpoint,
  distrustBundleKeyEndpoint,
  largestBundle,
  trustBundleKeyEndpoint,
  uploadBundleEndpoint,
} from '@patch/contract/operations/bundle-endpoints.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import { toFingerprint } from '../../platform/secrets/service-signer.ts';
import { addBundleKey, readTrustedKeys, removeBundleKey } from './bundle-key-store.ts';
import {
  addJob,
  type ImportStep,
  type Job,
  queueApply,
  readJob,
  readJobs,
} from './download-job-store.ts';
import {
  assertWithinLimit,
  type DownloadRoutes,
  noSuchJob,
  requireDownloads,
} from './download-routes.ts';
import type { Downloads } from './start-downloads.ts';

export function bundleImportRoutes(
  route: RouteRegistrar,
  { database, downloads, clock }: DownloadRoutes,
): void {
  bundleKeyRoutes(route, { database, downloads, clock });

  route(uploadBundleEndpoint, async (request) => {
    const here = requireDownloads(downloads);
    await assertWithinLimit(database);
    if (request.upload === null) throw new Error('A call that receives a file has none');
    const upload = here.newUpload();
    try {
      const bytes = await saveUpload(request.upload, upload, here);
      const fileName = request.query.fileName.replaceAll(/[^\w. -]/g, '_');
      const askedBy = requireUser(request).name;
      const { place } = here;
      // The transaction hides the job until its file is complete.
      const job = await database.transaction(async (session) => {
        const added = await addJob(
          session,
          {
            kind: 'bundle_import',
            place,
            options: { step: 'check' },
            about: fileName,
            askedBy,
            fileName,
            bytes,
          },
          clock(),
        );
        await rename(upload, here.filePath(added.id));
        return added;
      });
      request.changed({ subject: `bundle import ${job.id}`, after: { fileName, bytes } });
      here.look();
      return toBundleImport(job);
    } finally {
      await rm(upload, { force: true });
    }
  });

  route(bundleImportsEndpoint, async () => {
    const jobs = await readJobs(database, ['bundle_import']);
    return { objList: jobs.map(toBundleImport), totalCount: jobs.length };
  });

  route(applyBundleEndpoint, async (request) => {
    const { id } = request.params;
    const before = await readJob(database, id);
    if (before?.kind !== 'bundle_import') throw noSuchJob();
    const { accept } = request.body;
    const unaccepted = (before.report?.concerns ?? []).filter(({ kind }) => !accept.includes(kind));
    if (unaccepted.length > 0)
      throw new AppError(
        'concerns_not_accepted',
        `${unaccepted.map(({ words }) => words).join(' ')} To apply it nevertheless, accept: ${[...new Set(unaccepted.map(({ kind }) => kind))].join(', ')}.`,
      );
    if (!(await queueApply(database, id, { by: requireUser(request).name, accept, now: clock() })))
      throw new AppError(
        'not_to_be_applied',
        'Only a bundle that was checked and is not applied yet can be applied.',
      );
    request.changed({
      subject: `bundle import ${id}`,
      before: before.report?.lists,
      after: { applied: before.fileName, accepted: accept },
    });
    downloads?.look();
    const job = await readJob(database, id);
    if (job === null) throw noSuchJob();
    return toBundleImport(job);
  });
}

/** Streams the upload to disk and returns its size. */
async function saveUpload(upload: Readable, path: string, here: Downloads): Promise<number> {
  const room = Math.max(0, here.maxBytes - (await here.usedBytes()));
  const file = await open(path, 'w', 0o600);
  let bytes = 0;
  try {
    // The connection stays open after a refusal: a client whose connection is closed never sees the response.
    for await (const piece of upload.iterator({
      destroyOnReturn: false,
    }) as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > largestBundle)
        throw new AppError(
          'too_large',
          `A bundle may have at most ${largestBundle / 1024 ** 3} GB.`,
        );
      if (bytes > room) {
        const words =
          'The files of downloads would exceed their size limit. Remove some, or set DOWNLOADS_GB higher.';
        throw new AppError('no_room', words);
      }
      await file.writeFile(piece).catch(refuseFullDisk);
    }
  } finally {
    await file.close();
  }
  if (bytes === 0) throw new AppError('empty_upload', 'The file is empty.');
  return bytes;
}

function refuseFullDisk(error: unknown): never {
  if (errorCode(error) === 'ENOSPC')
    throw new AppError(
      'disk_full',
      'The disk of DATA_DIR is full. Free some space, then upload the bundle again.',
    );
  throw error;
}

function toBundleImport({
  kind: _kind,
  place: _place,
  about: _about,
  options,
  ...job
}: Job): BundleImport {
  return { ...job, step: options['step'] as ImportStep };
}

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
