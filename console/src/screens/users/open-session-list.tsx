/** The sessions of a user, with buttons to end them. */
import type { OpenSession } from '@patch/contract/accounts/session-endpoints.ts';
import { type QueryKey, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { toast } from '../../api/toast.ts';
import { ResourceList, RowButton } from '../../resources/resource-list.tsx';
import { userAgentText } from '../../values/user-agent-text.ts';
import { Button } from '../../widgets/button.tsx';
import styles from '../../widgets/row-list.module.css';
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
  const others = sessions.data?.filter(({ current }) => !current) ?? [];
  const hasOnlyOthers = others.length === sessions.data?.length;
  const confirmEndAll = useConfirmedAction({
    question: () => ({
      title: `End ${owner} sessions?`,
      body: `Ends ${others.length === 1 ? 'one session' : `${others.length} sessions`}; the user has to sign in again${hasOnlyOthers ? '' : '. This session stays'}.`,
      danger: true,
      yes: 'End them',
    }),
    run: endAll,
    success: () => 'The sessions have been ended.',
    invalidates: [queryKey],
  });
  return (
    <>
      <ResourceList
        query={sessions}
        what="sessions"
        label="Sessions"
        empty="No active sessions."
        action={({ id, userAgent, current }) =>
          current ? null : (
            <RowButton
              label="End"
              object={`the session of ${userAgentText(userAgent)}`}
              loading={endSession.isPending && endSession.variables === id}
              onClick={() => endSession.mutate(id)}
            />
          )
        }
      >
        {({ address, userAgent, startedAt, lastUsedAt, current }) => (
          <>
            <strong title={userAgent}>{userAgentText(userAgent)}</strong>{' '}
            {current ? <em className={styles['mark']}>this one</em> : null}
            <p className={styles['quiet']}>
              {address} · signed in <TimeAgo value={startedAt} /> · used{' '}
              <TimeAgo value={lastUsedAt} />
            </p>
          </>
        )}
      </ResourceList>
      {others.length === 0 ? null : (
        <Button danger onClick={() => void confirmEndAll()}>
          {hasOnlyOthers ? 'End all' : 'End all others'}
        </Button>
      )}
    </>
  );
}
