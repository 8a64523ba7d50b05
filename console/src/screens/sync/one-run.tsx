/** One run: how it ended, who asked for it, its warnings, and by turns what it changed and what it kept out. */
import type { Run } from '@patch/contract/sync-calls.ts';
import { Alert, Tabs } from 'antd';
import { figures } from '../../widgets/figures.ts';
import { ExactTime } from '../../widgets/time-ago.tsx';
import styles from './one-run.module.css';
import { RunChanges } from './run-changes.tsx';
import { RunRejections } from './run-rejections.tsx';
import { stateLooks } from './run-words.ts';

const headed = (word: string, count: number) => `${word} ${figures(count)}`;

export function OneRun({ run }: { readonly run: Run }) {
  const changes = run.added + run.changed + run.withdrawn;
  const tabs = [
    { key: 'changes', label: headed('Changes', changes), children: <RunChanges run={run.id} expected={changes} /> },
    { key: 'rejections', label: headed('Rejected', run.rejected), children: <RunRejections run={run.id} expected={run.rejected} /> },
    ...(run.warnings.length === 0
      ? []
      : [{ key: 'warnings', label: headed('Warnings', run.warnings.length), children: <Warnings warnings={run.warnings} /> }]),
  ];
  const bad = run.state === 'failed' || run.state === 'interrupted';
  return (
    <div className={styles['run']}>
      {run.message === '' ? null : bad ? (
        <Alert type="error" showIcon title={stateLooks[run.state].word} description={run.message} />
      ) : (
        <p>{run.message}</p>
      )}
      <dl className={styles['facts']}>
        <dt>Started by</dt>
        <dd>{run.startedBy === 'schedule' ? 'the schedule' : run.startedBy}</dd>
        <dt>Started</dt>
        <dd>
          <ExactTime value={run.startedAt ?? run.queuedAt} />
        </dd>
        {run.endedAt === null ? null : (
          <>
            <dt>Ended</dt>
            <dd>
              <ExactTime value={run.endedAt} />
            </dd>
          </>
        )}
        <dt>Unchanged</dt>
        <dd className="figures">{figures(run.unchanged)}</dd>
      </dl>
      <Tabs size="small" items={tabs} />
    </div>
  );
}

function Warnings({ warnings }: { readonly warnings: readonly string[] }) {
  return (
    <ul className={styles['warnings']}>
      {warnings.map((warning) => (
        <li key={warning}>{warning}</li>
      ))}
    </ul>
  );
}
