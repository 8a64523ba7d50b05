/** The user's own passkeys with their last use, and a button to remove each. */

import { type Passkey, removePasskeyEndpoint } from '@patch/contract/passkey-endpoints.ts';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { Button } from '../../widgets/button.tsx';
import styles from '../../widgets/row-list.module.css';
import { TimeAgo } from '../../widgets/time-ago.tsx';
import { useConfirmedAction } from '../../widgets/use-confirmed-action.ts';

interface PasskeyListProps {
  readonly passkeys: readonly Passkey[];
}

export function PasskeyList({ passkeys }: PasskeyListProps) {
  const remove = useConfirmedAction({
    question: ({ name }: Passkey) => ({
      title: `Remove the passkey ${name}?`,
      body: 'You can no longer sign in with it. Remove it from the device or security key as well.',
      danger: true,
      yes: 'Remove it',
    }),
    run: ({ id }) => callApi(removePasskeyEndpoint, { params: { id: String(id) } }),
    success: ({ name }) => `Passkey '${name}' removed.`,
    // Removing the last second factor also removes the backup codes.
    invalidates: [queryKeys.passkeys.all(), queryKeys.secondFactor.state()],
  });
  return (
    <ul className={styles['list']} aria-label="Passkeys">
      {passkeys.map((passkey) => (
        <li key={passkey.id} className={styles['row']}>
          <div className={styles['words']}>
            <strong>{passkey.name}</strong>
            <p className={styles['quiet']}>
              added <TimeAgo value={passkey.createdAt} /> ·{' '}
              {passkey.lastUsedAt === null ? (
                'not used yet'
              ) : (
                <>
                  used <TimeAgo value={passkey.lastUsedAt} />
                </>
              )}
              {passkey.host === globalThis.location.hostname ? null : (
                <> · can be used only at {passkey.host}</>
              )}
            </p>
          </div>
          <Button small onClick={() => void remove(passkey)}>
            Remove<span className="visually-hidden"> the passkey {passkey.name}</span>
          </Button>
        </li>
      ))}
    </ul>
  );
}
