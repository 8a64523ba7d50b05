/** Requested files, newest first, with progress and actions. */
import type {
  Download,
  DownloadKind,
  DownloadState,
} from '@patch/contract/operations/download-endpoints.ts';
import type { RunState } from '@patch/contract/sources/sync-endpoints.ts';
import { StateWord } from '../../runs/state-word.tsx';
import { fileSize } from '../../values/file-size.ts';
import { Button } from '../../widgets/button.tsx';
import { ExactTime, TimeAgo } from '../../widgets/time-ago.tsx';
import { JobProgress } from './job-progress.tsx';
import { isActive, useDownloadActions } from './use-download-jobs.ts';

export const kindNames: Readonly<Record<DownloadKind, string>> = {
  database_dump: 'Database dump',
  catalogue_bundle: 'Catalogue bundle',
  logs: 'Logs',
  support_bundle: 'Support bundle',
};

/** Downloads end in the same states as runs, so they share words and colours. */
export const toRunState = (state: DownloadState): RunState =>
  state === 'done' ? 'succeeded' : state;

export function DownloadRows({ downloads }: { readonly downloads: readonly Download[] }) {
  const { fetch, cancel, remove } = useDownloadActions();
  if (downloads.length === 0) return <p className="mt-1 text-quiet">No files yet.</p>;
  return (
    <ul className="plain-list text-dense">
      {downloads.map((job) => (
        <li key={job.id} className="py-3 border-t break-anywhere">
          <div className="flex flex-wrap items-center gap-y-1 gap-x-3">
            <strong>{kindNames[job.kind]}</strong>
            <StateWord state={toRunState(job.state)} />
            <span className="mt-1 text-quiet">
              {job.askedBy}, <TimeAgo value={job.askedAt} />
            </span>
          </div>
          <p className="mt-1">{job.about}</p>
          {isActive(job) ? (
            <JobProgress job={job} />
          ) : (
            <p className="mt-1 text-quiet">{job.message}</p>
          )}
          <div className="flex flex-wrap items-center gap-y-1 gap-x-3 mt-2">
            {isActive(job) ? (
              <Button small onClick={() => cancel.mutate(job)}>
                Cancel<span className="visually-hidden"> {job.fileName}</span>
              </Button>
            ) : (
              <>
                {job.state === 'done' ? (
                  <Button
                    small
                    loading={fetch.isPending && fetch.variables.id === job.id}
                    onClick={() => fetch.mutate(job)}
                  >
                    Download<span className="visually-hidden"> {job.fileName}</span>,{' '}
                    {fileSize(job.bytes)}
                  </Button>
                ) : null}
                <Button small look="quiet" onClick={() => void remove(job)}>
                  Remove<span className="visually-hidden"> {job.fileName}</span>
                </Button>
                {job.expiresAt === null ? null : (
                  <span className="mt-1 text-quiet">
                    until <ExactTime value={job.expiresAt} />
                  </span>
                )}
              </>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}
