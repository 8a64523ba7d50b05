/** Switching the second factor on: the secret goes into the app, and a code of it proves that it is there. */
import { beginTwoFactorCall, enableTwoFactorCall } from '@patch/contract/two-factor-calls.ts';
import { useQuery } from '@tanstack/react-query';
import { QRCode, Skeleton } from 'antd';
import { makeCall } from '../api/make-call.ts';
import { CopyButton } from '../widgets/copy-button.tsx';
import { takeFocus } from '../widgets/focus.ts';
import { LoadFailure } from '../widgets/load-failure.tsx';
import { ProofForm } from './proof-form.tsx';
import styles from './second-factor.module.css';

interface SwitchOnProps {
  readonly onDone: (backupCodes: readonly string[]) => Promise<void>;
  readonly onCancel: () => void;
}

export function SwitchOn({ onDone, onCancel }: SwitchOnProps) {
  // Each opening makes a new secret; the one that is shown stays while it is shown.
  const begun = useQuery({
    queryKey: ['two-factor secret'],
    queryFn: ({ signal }) => makeCall(beginTwoFactorCall, { signal }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
  });
  if (begun.data === undefined)
    return begun.isPending ? (
      <Skeleton active title={false} paragraph={{ rows: 6 }} />
    ) : (
      <LoadFailure what="secret" failure={begun.error} onReload={() => void begun.refetch()} />
    );
  const { secret, uri } = begun.data;
  return (
    <ol ref={takeFocus} tabIndex={-1} aria-label="Switching the second factor on" className={styles['steps']}>
      <li>
        Scan this with an authenticator app on your phone, or type the secret into it.
        <div className={styles['scan']}>
          <div className={styles['qr']} role="img" aria-label="The secret for the authenticator app, to scan">
            <QRCode value={uri} type="svg" size={176} bordered={false} color="#000" bgColor="#fff" />
          </div>
          <span className={styles['secret']}>
            <code>{secret.match(/.{1,4}/g)?.join(' ')}</code> <CopyButton text={secret} what="secret" />
          </span>
        </div>
      </li>
      <li>
        Enter your password and the code that the app shows.
        <ProofForm
          submitLabel="Switch on"
          codeHint="Six digits, new every 30 seconds."
          onCancel={onCancel}
          onProof={async (proof) => onDone((await makeCall(enableTwoFactorCall, { body: proof })).backupCodes)}
        />
      </li>
    </ol>
  );
}
