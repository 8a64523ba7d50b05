/** API keys with scopes and last use, and a button to revoke each. */

import { type ApiKey } from '@patch/contract/api-key-endpoints.ts';
import { type QueryKey, useQuery } from '@tanstack/react-query';
import { Button } from '../../widgets/button.tsx';
import { LoadFailure } from '../../widgets/load-failure.tsx';
import styles from '../../widgets/row-list.module.css';
import { Skeleton } from '../../widgets/skeleton.tsx';
import { useNow } from '../../widgets/ticking-clock.ts';
import { ExactTime, TimeAgo } from '../../widgets/time-ago.tsx';
import { useConfirmedAction } from '../../widgets/use-confirmed-action.ts';

interface ApiKeyListProps {
  readonly queryKey: QueryKey;
  readonly load: (signal: AbortSignal) => Promise<{ readonly objList: readonly ApiKey[] }>;
  readonly endKey: (id: number) => Promise<{ readonly message: string }>;
  /** Shows the owner, for lists of several users. */
  readonly withOwner?: boolean;
}

export function ApiKeyList({ queryKey, load, endKey, withOwner = false }: ApiKeyListProps) {
  const keys = useQuery({ queryKey, queryFn: async ({ signal }) => (await load(signal)).objList });
  const revoke = useConfirmedAction({
    question: ({ name, ownerName }: ApiKey) => ({
      title: `Revoke the API key ${name}${withOwner ? ` of ${ownerName}` : ''}?`,
      body: 'Programs that use it lose access immediately.',
      danger: true,
      yes: 'Revoke',
    }),
    run: ({ id }) => endKey(id),
    success: ({ name }) => `API key '${name}' revoked.`,
    invalidates: [queryKey],
  });
  if (keys.isPending) return <Skeleton rows={4} />;
  if (keys.data === undefined)
    return (
      <LoadFailure what="API keys" failure={keys.error} onReload={() => void keys.refetch()} />
    );

  return keys.data.length === 0 ? (
    <p className={styles['quiet']}>No API keys.</p>
  ) : (
    <ul className={styles['list']} aria-label="API keys">
      {keys.data.map((key) => (
        <li key={key.id} className={styles['row']}>
          <div className={styles['words']}>
            <strong>{key.name}</strong> <code>{key.prefix}…</code>{' '}
            {withOwner ? <span className={styles['quiet']}>{key.ownerName}</span> : null}
            <p className={styles['scopes']}>{key.scopes.join(', ')}</p>
            <p className={styles['quiet']}>
              created <TimeAgo value={key.createdAt} /> ·{' '}
              {key.lastUsedAt === null ? (
                'not used yet'
              ) : (
                <>
                  used <TimeAgo value={key.lastUsedAt} />
                </>
              )}{' '}
              · <Expiry at={key.expiresAt} />
            </p>
          </div>
          <Button small onClick={() => void revoke(key)}>
            Revoke<span className="visually-hidden"> the API key {key.name}</span>
          </Button>
        </li>
      ))}
    </ul>
  );
}

function Expiry({ at }: { readonly at: number | null }) {
  const now = useNow();
  if (at === null) return <>never expires</>;
  if (at <= now)
    return (
      <span className={styles['late']}>
        expired <TimeAgo value={at} />
      </span>
    );
  return (
    <>
      expires <ExactTime value={at} />
    </>
  );
}
