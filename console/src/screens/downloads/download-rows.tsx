/** Requested files, newest first, with progress and actions. */
import type { Download, DownloadKind, DownloadState } from '@patch/contract/download-endpoints.ts';
import type { RunState } from '@patch/contract/sync-endpoints.ts';
import { StateWord } from '../../runs/state-word.tsx';
import { fileSize } from '../../values/file-size.ts';
import { Button } from '../../widgets/button.tsx';
import { ExactTime, TimeAgo } from '../../widgets/time-ago.tsx';
import { JobProgress } from './job-progress.tsx';
import styles from './job-rows.module.css';
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
  if (downloads.length === 0) return <p className={styles['quiet']}>No files yet.</p>;
  return (
    <ul className={styles['rows']}>
      {downloads.map((job) => (
        <li key={job.id} className={styles['row']}>
          <div className={styles['head']}>
            <strong>{kindNames[job.kind]}</strong>
            <StateWord state={toRunState(job.state)} />
            <span className={styles['quiet']}>
              {job.askedBy}, <TimeAgo value={job.askedAt} />
            </span>
          </div>
          <p className={styles['words']}>{job.about}</p>
          {isActive(job) ? (
            <JobProgress job={job} />
          ) : (
            <p className={styles['quiet']}>{job.message}</p>
          )}
          <div className={styles['actions']}>
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
                  <span className={styles['quiet']}>
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
