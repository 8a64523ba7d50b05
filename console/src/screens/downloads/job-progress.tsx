/** The current stage and progress of a job. */
import type { Download } from '@patch/contract/operations/download-endpoints.ts';
import { ProgressBar } from '../../runs/run-progress.tsx';
import { fileSize } from '../../values/file-size.ts';
import { formatNumber } from '../../widgets/format-number.ts';

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
  return (
    <div className="mt-2">
      <ProgressBar label={fileName} words={words} share={share} />
      <p className="flex flex-wrap justify-between gap-x-4 mt-1 text-quiet text-small">
        <span>{words}</span>
        <span className="figures">{count.filter((word) => word !== '').join(', ')}</span>
      </p>
    </div>
  );
}
