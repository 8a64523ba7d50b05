/** The own second factor: authenticator app, passkeys and backup codes. */

import { SafetyOutlined } from '@ant-design/icons-svg';
import { passkeysEndpoint } from '@patch/contract/passkey-endpoints.ts';
import {
  disableTwoFactorEndpoint,
  renewBackupCodesEndpoint,
  twoFactorEndpoint,
} from '@patch/contract/two-factor-endpoints.ts';
import { useQuery } from '@tanstack/react-query';
import { Alert, Skeleton } from 'antd';
import { useState } from 'react';
import { browserHasPasskeys } from '../../api/browser-passkeys.ts';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useSession } from '../../api/session.ts';
import { toast } from '../../api/toast.ts';
import { AddPasskey } from '../../forms/add-passkey.tsx';
import { BackupCodes } from '../../forms/backup-codes.tsx';
import { ProofForm } from '../../forms/proof-form.tsx';
import styles from '../../forms/second-factor.module.css';
import { SwitchOn } from '../../forms/switch-on.tsx';
import { Button } from '../../widgets/button.tsx';
import { Icon } from '../../widgets/icon.tsx';
import { LoadFailure } from '../../widgets/load-failure.tsx';
import { ExactTime } from '../../widgets/time-ago.tsx';
import { PasskeyList } from './passkey-list.tsx';

type Step = 'switch app on' | 'switch app off' | 'renew codes' | 'add passkey' | null;

export function TwoFactorSection() {
  const { loginType } = useSession();
  const [step, setStep] = useState<Step>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const app = useQuery({
    queryKey: queryKeys.secondFactor.state(),
    queryFn: ({ signal }) => callApi(twoFactorEndpoint, { signal }),
  });
  const passkeys = useQuery({
    queryKey: queryKeys.passkeys.all(),
    queryFn: ({ signal }) => callApi(passkeysEndpoint, { signal }),
  });

  async function refresh(): Promise<void> {
    await Promise.all([app.refetch(), passkeys.refetch()]);
  }

  async function done(shown: readonly string[] | null): Promise<void> {
    setCodes(shown);
    setStep(null);
    await refresh();
  }

  if (app.data === undefined || passkeys.data === undefined)
    return app.isPending || passkeys.isPending ? (
      <Skeleton active title={false} paragraph={{ rows: 2 }} />
    ) : (
      <LoadFailure
        what="second factor"
        failure={app.error ?? passkeys.error ?? new Error('The server sent nothing.')}
        onReload={() => void refresh()}
      />
    );
  if (codes !== null) return <BackupCodes codes={codes} onKept={() => setCodes(null)} />;

  const { enabled, enabledAt, backupCodesLeft } = app.data;
  const { objList, unavailable } = passkeys.data;
  const isOn = enabled || objList.length > 0;
  const cancel = () => setStep(null);
  return (
    <div className={styles['factor']}>
      <p className={styles['standing']} data-on={isOn || undefined}>
        <Icon of={SafetyOutlined} />
        {isOn
          ? `On: required after your password when you sign in. ${leftWords(backupCodesLeft)}`
          : 'Off: you sign in with your password only.'}
      </p>
      {isOn && backupCodesLeft < 3 ? (
        <Alert
          type="warning"
          showIcon
          title="Create new backup codes before you run out: without them or your device you cannot sign in."
        />
      ) : null}
      {loginType === 'sso' && !isOn ? (
        <p className={styles['quiet']}>
          You signed in with an identity provider, which may require its own second factor. This one
          applies in addition. To use the authenticator app you need a password: if you have none,
          set one with ‘Forgotten password?’ on the login page.
        </p>
      ) : null}
      {step === 'switch app on' ? (
        <SwitchOn onDone={done} onCancel={cancel} />
      ) : step === 'add passkey' ? (
        <AddPasskey onAdded={done} onCancel={cancel} />
      ) : step === 'renew codes' ? (
        <ProofForm
          submitLabel="Create new codes"
          onCancel={cancel}
          onProof={async (proof) =>
            done((await callApi(renewBackupCodesEndpoint, { body: proof })).backupCodes)
          }
        />
      ) : step === 'switch app off' ? (
        <ProofForm
          submitLabel="Disable"
          onCancel={cancel}
          onProof={async (proof) => {
            toast.success((await callApi(disableTwoFactorEndpoint, { body: proof })).message);
            await done(null);
          }}
        />
      ) : (
        <>
          <section className={styles['way']} aria-labelledby="passkeys-title">
            <h3 id="passkeys-title">Passkeys</h3>
            <p className={styles['quiet']}>
              {unavailable ??
                'Fingerprint, face, PIN or a security key. Works on this site only, so phishing pages cannot use it.'}
            </p>
            {objList.length === 0 ? null : <PasskeyList passkeys={objList} />}
            {unavailable !== null ? null : browserHasPasskeys() ? (
              <Button look={isOn ? 'plain' : 'primary'} onClick={() => setStep('add passkey')}>
                Add a passkey
              </Button>
            ) : (
              <p className={styles['quiet']}>
                This browser does not support passkeys, or the page is not encrypted.
              </p>
            )}
          </section>
          <section className={styles['way']} aria-labelledby="app-title">
            <h3 id="app-title">Authenticator app</h3>
            <p className={styles['quiet']}>
              {enabledAt === null ? (
                'A six-digit code from an app on your phone. It changes every 30 seconds.'
              ) : (
                <>
                  On since <ExactTime value={enabledAt} />.
                </>
              )}
            </p>
            {enabled ? (
              <Button danger onClick={() => setStep('switch app off')}>
                Disable
              </Button>
            ) : (
              <Button onClick={() => setStep('switch app on')}>Enable</Button>
            )}
          </section>
          {isOn ? (
            <section className={styles['way']} aria-labelledby="codes-title">
              <h3 id="codes-title">Backup codes</h3>
              <p className={styles['quiet']}>
                Each code signs you in once when you do not have your device.
              </p>
              <Button onClick={() => setStep('renew codes')}>New backup codes</Button>
            </section>
          ) : null}
        </>
      )}
    </div>
  );
}

function leftWords(left: number): string {
  if (left === 0) return 'No backup codes left.';
  return left === 1 ? 'One backup code left.' : `${left} backup codes left.`;
}
