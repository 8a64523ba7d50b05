/** The vendor's records that a run rejected, with the reason and the document. */

import { runRejectionsEndpoint } from '@patch/contract/run-endpoints.ts';
import type { Run } from '@patch/contract/sync-endpoints.ts';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { RunPage } from './run-page.tsx';
import styles from './run-rejections.module.css';

export function RunRejections({ run }: { readonly run: Run }) {
  return (
    <RunPage
      queryKey={queryKeys.runs.rejections(run.id)}
      load={(query, signal) =>
        callApi(runRejectionsEndpoint, { params: { runId: String(run.id) }, query, signal })
      }
      emptyText={run.endedAt === null ? 'No rejected records so far.' : 'No records were rejected.'}
      expected={run.rejected}
      renderRow={({ id, record, reason, url }) => (
        <li key={id} className={styles['rejection']}>
          <code>{record}</code>
          <span>{reason}</span>
          <span className={styles['url']}>{url}</span>
        </li>
      )}
    />
  );
}
