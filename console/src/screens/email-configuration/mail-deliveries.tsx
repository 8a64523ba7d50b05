/** Recent emails: sent, waiting for a retry, or failed, with the reason. */

import { mailDeliveriesEndpoint } from '@patch/contract/mail-endpoints.ts';
import { useQuery } from '@tanstack/react-query';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { type ColourName, colour } from '../../theme/tokens.ts';
import { TimeAgo } from '../../widgets/time-ago.tsx';
import styles from './mail-deliveries.module.css';

const looks: Readonly<
  Record<'queued' | 'sent' | 'failed', { readonly word: string; readonly colour: ColourName }>
> = {
  queued: { word: 'Waiting', colour: 'warning' },
  sent: { word: 'Sent', colour: 'success' },
  failed: { word: 'Given up', colour: 'danger' },
};

export function MailDeliveries() {
  const mails = useQuery({
    queryKey: queryKeys.email.deliveries(),
    queryFn: ({ signal }) =>
      callApi(mailDeliveriesEndpoint, { query: { offset: '0', size: '20' }, signal }),
    refetchInterval: 15_000,
    refetchIntervalInBackground: false,
  });
  return (
    <section className={styles['deliveries']} aria-label="Recent emails">
      <h2 className={styles['title']}>Recent emails</h2>
      {mails.data === undefined ? (
        <p className={styles['quiet']}>{mails.error?.message ?? ''}</p>
      ) : mails.data.totalCount === 0 ? (
        <p className={styles['quiet']}>No emails yet.</p>
      ) : (
        <ul className={styles['mails']}>
          {mails.data.objList.map(
            ({ id, kind, recipient, state, attempts, lastError, queuedAt, endedAt }) => (
              <li key={id} className={styles['mail']}>
                <strong style={{ color: colour(looks[state].colour) }}>{looks[state].word}</strong>
                <span>
                  {kind} to {recipient}
                  {lastError === '' ? null : (
                    <span className={styles['error']}>
                      {attempts === 1 ? 'Tried once' : `Tried ${attempts} times`}: {lastError}
                    </span>
                  )}
                </span>
                <span className={styles['quiet']}>
                  <TimeAgo value={endedAt ?? queuedAt} />
                </span>
              </li>
            ),
          )}
        </ul>
      )}
    </section>
  );
}
