/** Bundles from other installations: upload, comparison with this catalogue, and application. */

import {
  type BundleImport,
  largestBundle,
  uploadBundleEndpoint,
} from '@patch/contract/operations/bundle-endpoints.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiCallCancelled } from '../../api/api-call-error.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { sendFile } from '../../api/send-file.ts';
import { toast } from '../../api/toast.ts';
import { StateWord } from '../../runs/state-word.tsx';
import { ColumnHeads } from '../../theme/column-heads.tsx';
import { fileSize } from '../../values/file-size.ts';
import { Button } from '../../widgets/button.tsx';
import { formatNumber } from '../../widgets/format-number.ts';
import { ExactTime, TimeAgo } from '../../widgets/time-ago.tsx';
import { toRunState } from './download-rows.tsx';
import { JobProgress } from './job-progress.tsx';
import styles from './job-rows.module.css';
import { isActive, useBundleImports, useDownloadActions } from './use-download-jobs.ts';

export function BundleImports() {
  const imports = useBundleImports();
  const { cancel, remove, apply } = useDownloadActions();
  return (
    <>
      <UploadBundle />
      {imports.data === undefined ? (
        <p className="mt-1 text-quiet">{imports.error?.message ?? ''}</p>
      ) : imports.data.length === 0 ? (
        <p className="mt-1 text-quiet">
          No bundles yet. An uploaded bundle is compared with this catalogue; nothing changes until
          you apply it.
        </p>
      ) : (
        <ul className="plain-list text-dense">
          {imports.data.map((job) => (
            <li key={job.id} className="py-3 border-t break-anywhere">
              <div className="flex flex-wrap items-center gap-y-1 gap-x-3">
                <strong>{job.fileName}</strong>
                <StateWord state={toRunState(job.state)} />
                <span className="mt-1 text-quiet">
                  {job.askedBy}, <TimeAgo value={job.askedAt} />
                </span>
              </div>
              {isActive(job) ? <JobProgress job={job} /> : <p className="mt-1">{job.message}</p>}
              {job.report === null ? null : <Report report={job.report} />}
              <div className="flex flex-wrap items-center gap-y-1 gap-x-3 mt-2">
                {isActive(job) ? (
                  <Button small onClick={() => cancel.mutate(job)}>
                    Cancel<span className="visually-hidden"> {job.fileName}</span>
                  </Button>
                ) : (
                  <>
                    {canBeApplied(job) ? (
                      <Button small look="primary" onClick={() => void apply(job)}>
                        Apply<span className="visually-hidden"> {job.fileName}</span>
                      </Button>
                    ) : null}
                    <Button small look="quiet" onClick={() => void remove(job)}>
                      Remove<span className="visually-hidden"> {job.fileName}</span>
                    </Button>
                  </>
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** A bundle can be applied after its check, and again after a failed application. */
const canBeApplied = ({ state, step, report }: BundleImport) =>
  report !== null && (state === 'done') === (step === 'check');

function Report({ report }: { readonly report: NonNullable<BundleImport['report']> }) {
  const { families, signedBy, fingerprint, madeAt, since, lists, appliedAt, concerns } = report;
  return (
    <>
      <p className="mt-1 text-quiet">
        {families.join(', ')}; created <ExactTime value={madeAt} />,{' '}
        {since === null ? 'all records' : 'changes since '}
        {since === null ? null : <ExactTime value={since} />}; signed by {signedBy} (
        <span className="text-small font-mono">{fingerprint}</span>)
      </p>
      {concerns.map(({ words }) => (
        <p key={words} className="warning-box">
          {words}
        </p>
      ))}
      <table className={`${styles['changes']} w-full mt-2 border-collapse`}>
        <caption className="visually-hidden">
          {appliedAt === null ? 'Changes if applied' : 'Applied changes'}
        </caption>
        <ColumnHeads
          of={[
            appliedAt === null ? 'Would be' : 'Was',
            'added',
            'changed',
            'withdrawn',
            'unchanged',
          ]}
        />
        <tbody>
          {lists.map(({ list, label, added, changed, withdrawn, unchanged }) => (
            <tr key={list}>
              <th scope="row">{label}</th>
              <td>{formatNumber(added)}</td>
              <td>{formatNumber(changed)}</td>
              <td>{formatNumber(withdrawn)}</td>
              <td>{formatNumber(unchanged)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function UploadBundle() {
  const queries = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const [upload, setUpload] = useState<{
    readonly name: string;
    readonly share: number;
    readonly stop: AbortController;
  } | null>(null);

  async function sendBundle(file: File): Promise<void> {
    if (file.size > largestBundle) {
      toast.error(
        'Error',
        `A bundle may have at most ${fileSize(largestBundle)}; this one has ${fileSize(file.size)}.`,
      );
      return;
    }
    const abortController = new AbortController();
    const showProgress = (share: number) =>
      setUpload({ name: file.name, share, stop: abortController });
    showProgress(0);
    try {
      await sendFile(uploadBundleEndpoint, file, {
        query: { fileName: file.name.slice(0, 200) },
        onProgress: showProgress,
        signal: abortController.signal,
      });
    } catch (failure) {
      if (!(failure instanceof ApiCallCancelled)) toast.failure(failure);
    } finally {
      setUpload(null);
      await queries.invalidateQueries({ queryKey: queryKeys.downloads.all() });
    }
  }

  return (
    <div className="flex flex-wrap items-center gap-3 mb-4">
      <input
        ref={input}
        type="file"
        accept=".zip,application/zip"
        className="visually-hidden"
        tabIndex={-1}
        aria-label="Bundle to upload"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          // The same file can be chosen again.
          target.value = '';
          if (file !== undefined) void sendBundle(file);
        }}
      />
      <Button loading={upload !== null} onClick={() => input.current?.click()}>
        Upload a bundle
      </Button>
      {upload === null ? null : (
        <>
          <span className="mt-1 text-quiet" role="status">
            {upload.name}: {Math.floor(upload.share * 100)} %
          </span>
          <Button small onClick={() => upload.stop.abort()}>
            Stop
          </Button>
        </>
      )}
    </div>
  );
}
