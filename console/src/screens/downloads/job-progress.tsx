/** The current stage and progress of a job. */
import type { Download } from '@patch/contract/download-endpoints.ts';
import { fileSize } from '../../values/file-size.ts';
import { formatNumber } from '../../widgets/format-number.ts';
import styles from './job-progress.module.css';

type Job = Pick<Download, 'state' | 'stage' | 'rows' | 'total' | 'bytes' | 'fileName'>;

export function JobProgress({ job }: { readonly job: Job }) {
  const { state, stage, rows, total, bytes, fileName } = job;
  const share = total > 0 ? Math.min(100, Math.floor((rows / total) * 100)) : null;
  const words = state === 'queued' ? 'Waiting for its turn' : stage === '' ? 'Starting' : stage;
  const count = [
    total > 0
      ? `${formatNumber(rows)} of ${formatNumber(total)}`
      : rows > 0
        ? formatNumber(rows)
        : '',
    bytes > 0 ? fileSize(bytes) : '',
  ];
  const progressValues =
    share === null ? {} : { 'aria-valuenow': share, 'aria-valuemin': 0, 'aria-valuemax': 100 };
  return (
    <div className={styles['progress']}>
      <div
        className={styles['bar']}
        role="progressbar"
        aria-label={fileName}
        aria-valuetext={words}
        {...progressValues}
      >
        <div className={styles['fill']} style={{ inlineSize: `${share ?? 0}%` }} />
      </div>
      <p className={styles['words']}>
        <span>{words}</span>
        <span className="figures">{count.filter((word) => word !== '').join(', ')}</span>
      </p>
    </div>
  );
}
