/** Job that writes a catalogue bundle for download. */
import { BundleOptions } from '@patch/contract/download-endpoints.ts';
import { readRun } from '../../ingest/sync/run-store.ts';
import { writeAtomically } from '../../platform/files/atomic-file.ts';
import { BundleRefused } from './bundle-manifest.ts';
import { bundleSigner } from './bundle-signature.ts';
import { formatCount, type JobWork } from './job-context.ts';
import { writeBundle } from './write-bundle.ts';

export const bundleJob: JobWork = async ({
  snapshot,
  options,
  path,
  room,
  secretKey,
  progress,
  signal,
  clock,
}) => {
  const { sources, sinceRun } = BundleOptions.parse(options);
  let written = 0;
  progress.enter('Taking a snapshot of the database');
  const bytes = await snapshot(async (session) => {
    const run = sinceRun === null ? null : await readRun(session, sinceRun);
    if (sinceRun !== null && run === null)
      throw new BundleRefused(`Run ${sinceRun} no longer exists. Request a full bundle.`);
    const since = run === null ? null : { id: run.id, startedAt: run.startedAt ?? run.queuedAt };
    return writeAtomically(
      path,
      (file) =>
        writeBundle(session, file, {
          sources,
          since,
          signer: bundleSigner(secretKey),
          now: clock(),
          signal,
          onTotal: progress.total,
          onRows(list, rows) {
            written += rows;
            progress.enter(`Writing ${list.label}`);
            progress.rows(rows);
          },
        }),
      { room, onBytes: progress.bytes },
    );
  });
  return { message: `${formatCount(written, 'record')}, signed.`, bytes };
};
