/** The sessions of a user, with buttons to end them. */

import type { OpenSession } from '@patch/contract/session-endpoints.ts';
import { type QueryKey, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { toast } from '../../api/toast.ts';
import { userAgentText } from '../../values/user-agent-text.ts';
import { Button } from '../../widgets/button.tsx';
import { LoadFailure } from '../../widgets/load-failure.tsx';
import styles from '../../widgets/row-list.module.css';
import { Skeleton } from '../../widgets/skeleton.tsx';
import { TimeAgo } from '../../widgets/time-ago.tsx';
import { useConfirmedAction } from '../../widgets/use-confirmed-action.ts';

interface OpenSessionListProps {
  /** The owner in questions, such as 'your' or 'Jane’s'. */
  readonly owner: string;
  readonly queryKey: QueryKey;
  readonly load: (signal: AbortSignal) => Promise<{ readonly objList: readonly OpenSession[] }>;
  readonly endOne: (id: number) => Promise<unknown>;
  /** Ends all sessions except the current one. */
  readonly endAll: () => Promise<unknown>;
}

export function OpenSessionList({ owner, queryKey, load, endOne, endAll }: OpenSessionListProps) {
  const queries = useQueryClient();
  const sessions = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await load(signal)).objList,
  });
  const endSession = useMutation({
    mutationFn: endOne,
    onSuccess: () => toast.success('The session has been ended.'),
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });
  const otherSessions = sessions.data?.filter(({ current }) => !current) ?? [];
  const confirmEndAll = useConfirmedAction({
    question: () => ({
      title: `End ${owner} sessions?`,
      body: `Ends ${otherSessions.length === 1 ? 'one session' : `${otherSessions.length} sessions`}; the user has to sign in again${otherSessions.length === sessions.data?.length ? '' : '. This session stays'}.`,
      danger: true,
      yes: 'End them',
    }),
    run: endAll,
    success: () => 'The sessions have been ended.',
    invalidates: [queryKey],
  });
  if (sessions.isPending) return <Skeleton rows={4} />;
  if (sessions.data === undefined)
    return (
      <LoadFailure
        what="sessions"
        failure={sessions.error}
        onReload={() => void sessions.refetch()}
      />
    );

  return sessions.data.length === 0 ? (
    <p className={styles['quiet']}>No active sessions.</p>
  ) : (
    <>
      <ul className={styles['list']} aria-label="Sessions">
        {sessions.data.map(({ id, address, userAgent, startedAt, lastUsedAt, current }) => (
          <li key={id} className={styles['row']}>
            <div className={styles['words']}>
              <strong title={userAgent}>{userAgentText(userAgent)}</strong>{' '}
              {current ? <em className={styles['mark']}>this one</em> : null}
              <p className={styles['quiet']}>
                {address} · signed in <TimeAgo value={startedAt} /> · used{' '}
                <TimeAgo value={lastUsedAt} />
              </p>
            </div>
            {current ? null : (
              <Button
                small
                loading={endSession.isPending && endSession.variables === id}
                onClick={() => endSession.mutate(id)}
              >
                End
                <span className="visually-hidden"> the session of {userAgentText(userAgent)}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {otherSessions.length === 0 ? null : (
        <Button danger onClick={() => void confirmEndAll()}>
          {otherSessions.length === sessions.data.length ? 'End all' : 'End all others'}
        </Button>
      )}
    </>
  );
}
