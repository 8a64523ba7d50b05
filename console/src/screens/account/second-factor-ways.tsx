/** The ways to a second factor, passkeys, authenticator app and backup codes, and the form of one step of them. */
import {
  type Passkey,
  type passkeysEndpoint,
  removePasskeyEndpoint,
} from '@patch/contract/accounts/passkey-endpoints.ts';
import {
  disableTwoFactorEndpoint,
  renewBackupCodesEndpoint,
  type twoFactorEndpoint,
} from '@patch/contract/accounts/two-factor-endpoints.ts';
import { type ReactNode, useId } from 'react';
import type { z } from 'zod';
import { browserHasPasskeys } from '../../api/browser-passkeys.ts';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { toast } from '../../api/toast.ts';
import { AddPasskey } from '../../forms/add-passkey.tsx';
import { ProofForm } from '../../forms/proof-form.tsx';
import styles from '../../forms/second-factor.module.css';
import { SetUpAuthenticator } from '../../forms/set-up-authenticator.tsx';
import { ResourceRows, RowButton } from '../../resources/resource-list.tsx';
import { Button } from '../../widgets/button.tsx';
import rows from '../../widgets/row-list.module.css';
import { ExactTime, TimeAgo } from '../../widgets/time-ago.tsx';
import { useConfirmedAction } from '../../widgets/use-confirmed-action.ts';

export type FactorStep = 'switch app on' | 'switch app off' | 'renew codes' | 'add passkey';

interface MethodsProps {
  readonly app: z.infer<typeof twoFactorEndpoint.reply>;
  readonly passkeys: z.infer<typeof passkeysEndpoint.reply>;
  /** Whether any second factor is enabled. Then another one is not urgent. */
  readonly isOn: boolean;
  readonly onStep: (step: FactorStep) => void;
}

export function FactorMethods({ app, passkeys, isOn, onStep }: MethodsProps) {
  const { objList, unavailable } = passkeys;
  return (
    <>
      <Method
        title="Passkeys"
        words={
          unavailable ??
          'Fingerprint, face, PIN or a security key. Works on this site only, so phishing pages cannot use it.'
        }
      >
        {objList.length === 0 ? null : <PasskeyList passkeys={objList} />}
        {unavailable !== null ? null : browserHasPasskeys() ? (
          <Button look={isOn ? 'plain' : 'primary'} onClick={() => onStep('add passkey')}>
            Add a passkey
          </Button>
        ) : (
          <p className={styles['quiet']}>
            This browser does not support passkeys, or the page is not encrypted.
          </p>
        )}
      </Method>
      <Method
        title="Authenticator app"
        words={
          app.enabledAt === null ? (
            'A six-digit code from an app on your phone. It changes every 30 seconds.'
          ) : (
            <>
              On since <ExactTime value={app.enabledAt} />.
            </>
          )
        }
      >
        {app.enabled ? (
          <Button danger onClick={() => onStep('switch app off')}>
            Disable
          </Button>
        ) : (
          <Button onClick={() => onStep('switch app on')}>Enable</Button>
        )}
      </Method>
      {isOn ? (
        <Method
          title="Backup codes"
          words="Each code signs you in once when you do not have your device."
        >
          <Button onClick={() => onStep('renew codes')}>New backup codes</Button>
        </Method>
      ) : null}
    </>
  );
}

interface MethodProps {
  readonly title: string;
  readonly words: ReactNode;
  readonly children: ReactNode;
}

function Method({ title, words, children }: MethodProps) {
  const id = useId();
  return (
    <section className={styles['way']} aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <p className={styles['quiet']}>{words}</p>
      {children}
    </section>
  );
}

function PasskeyList({ passkeys }: { readonly passkeys: readonly Passkey[] }) {
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
    <ResourceRows
      label="Passkeys"
      items={passkeys}
      action={(passkey) => (
        <RowButton
          label="Remove"
          object={`the passkey ${passkey.name}`}
          onClick={() => void remove(passkey)}
        />
      )}
    >
      {({ name, createdAt, lastUsedAt, host }) => (
        <>
          <strong>{name}</strong>
          <p className={rows['quiet']}>
            added <TimeAgo value={createdAt} /> ·{' '}
            {lastUsedAt === null ? (
              'not used yet'
            ) : (
              <>
                used <TimeAgo value={lastUsedAt} />
              </>
            )}
            {host === globalThis.location.hostname ? null : <> · can be used only at {host}</>}
          </p>
        </>
      )}
    </ResourceRows>
  );
}

interface FactorStepFormProps {
  readonly step: FactorStep;
  /** `backupCodes` is null when the step created none. */
  readonly onDone: (backupCodes: readonly string[] | null) => Promise<void>;
  readonly onCancel: () => void;
}

export function FactorStepForm({ step, onDone, onCancel }: FactorStepFormProps) {
  if (step === 'switch app on') return <SetUpAuthenticator onDone={onDone} onCancel={onCancel} />;
  if (step === 'add passkey') return <AddPasskey onAdded={onDone} onCancel={onCancel} />;
  const isRenewal = step === 'renew codes';
  return (
    <ProofForm
      submitLabel={isRenewal ? 'Create new codes' : 'Disable'}
      onCancel={onCancel}
      onProof={async (body) => {
        if (isRenewal)
          return onDone((await callApi(renewBackupCodesEndpoint, { body })).backupCodes);
        toast.success((await callApi(disableTwoFactorEndpoint, { body })).message);
        await onDone(null);
      }}
    />
  );
}
