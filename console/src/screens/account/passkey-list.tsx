/** The own passkeys, with when they were used, and the way to remove one. */
import { type Passkey, removePasskeyEndpoint } from '@patch/contract/passkey-endpoints.ts';
import { callApi } from '../../api/call-api.ts';
import { askAndDo } from '../../widgets/ask-and-do.ts';
import { Button } from '../../widgets/button.tsx';
import styles from '../../widgets/row-list.module.css';
import { TimeAgo } from '../../widgets/time-ago.tsx';

interface PasskeyListProps {
  readonly passkeys: readonly Passkey[];
  readonly onRemoved: () => Promise<void>;
}

export function PasskeyList({ passkeys, onRemoved }: PasskeyListProps) {
  async function remove({ id, name }: Passkey): Promise<void> {
    const question = {
      title: `Remove the passkey ${name}?`,
      body: 'You can no longer sign in with it. Delete it from the device or security key as well.',
      yes: 'Remove it',
      onYes: () => callApi(removePasskeyEndpoint, { params: { id: String(id) } }),
    };
    if (await askAndDo(question, `Passkey '${name}' removed.`)) await onRemoved();
  }
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
