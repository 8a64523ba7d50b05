/** The own second factor: authenticator app, passkeys and backup codes. */
import { SafetyOutlined } from '@ant-design/icons-svg';
import { passkeysCall } from '@patch/contract/passkey-calls.ts';
import { disableTwoFactorCall, renewBackupCodesCall, twoFactorCall } from '@patch/contract/two-factor-calls.ts';
import { useQuery } from '@tanstack/react-query';
import { Alert, Skeleton } from 'antd';
import { useState } from 'react';
import { makeCall } from '../../api/make-call.ts';
import { browserHasPasskeys } from '../../api/browser-passkeys.ts';
import { useSession } from '../../api/session.ts';
import { AddPasskey } from '../../forms/add-passkey.tsx';
import { BackupCodes } from '../../forms/backup-codes.tsx';
import { ProofForm } from '../../forms/proof-form.tsx';
import styles from '../../forms/second-factor.module.css';
import { SwitchOn } from '../../forms/switch-on.tsx';
import { Button } from '../../widgets/button.tsx';
import { Icon } from '../../widgets/icon.tsx';
import { LoadFailure } from '../../widgets/load-failure.tsx';
import { ExactTime } from '../../widgets/time-ago.tsx';
import { toast } from '../../widgets/toast.tsx';
import { PasskeyList } from './passkey-list.tsx';

type Step = 'switch app on' | 'switch app off' | 'renew codes' | 'add passkey' | null;

export function TwoFactorSection() {
  const { loginType } = useSession();
  const [step, setStep] = useState<Step>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const app = useQuery({ queryKey: ['two-factor'], queryFn: ({ signal }) => makeCall(twoFactorCall, { signal }) });
  const passkeys = useQuery({ queryKey: ['passkeys'], queryFn: ({ signal }) => makeCall(passkeysCall, { signal }) });

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
        {isOn ? `On: signing in asks for it after your password. ${leftWords(backupCodesLeft)}` : 'Off: your password alone signs you in.'}
      </p>
      {isOn && backupCodesLeft < 3 ? (
        <Alert
          type="warning"
          showIcon
          title="Make new backup codes before the last ones are used up: without them and your device you cannot sign in."
        />
      ) : null}
      {loginType === 'sso' && !isOn ? (
        <p className={styles['quiet']}>
          You signed in with an identity provider, which may ask for a second factor of its own. This one is asked for in addition. The
          authenticator app takes a password: choose one by ‘Forgotten password?’ on the login page, if you have none.
        </p>
      ) : null}
      {step === 'switch app on' ? (
        <SwitchOn onDone={done} onCancel={cancel} />
      ) : step === 'add passkey' ? (
        <AddPasskey onAdded={done} onCancel={cancel} />
      ) : step === 'renew codes' ? (
        <ProofForm
          submitLabel="Make new codes"
          onCancel={cancel}
          onProof={async (proof) => done((await makeCall(renewBackupCodesCall, { body: proof })).backupCodes)}
        />
      ) : step === 'switch app off' ? (
        <ProofForm
          submitLabel="Switch off"
          onCancel={cancel}
          onProof={async (proof) => {
            toast.success((await makeCall(disableTwoFactorCall, { body: proof })).message);
            await done(null);
          }}
        />
      ) : (
        <>
          <section className={styles['way']} aria-labelledby="passkeys-title">
            <h3 id="passkeys-title">Passkeys</h3>
            <p className={styles['quiet']}>
              {unavailable ?? 'Fingerprint, face, PIN or a security key. A page that looks like this one cannot ask for it.'}
            </p>
            {objList.length === 0 ? null : <PasskeyList passkeys={objList} onRemoved={refresh} />}
            {unavailable !== null ? null : browserHasPasskeys() ? (
              <Button look={isOn ? 'plain' : 'primary'} onClick={() => setStep('add passkey')}>
                Add a passkey
              </Button>
            ) : (
              <p className={styles['quiet']}>This browser has none, or the page is not encrypted.</p>
            )}
          </section>
          <section className={styles['way']} aria-labelledby="app-title">
            <h3 id="app-title">Authenticator app</h3>
            <p className={styles['quiet']}>
              {enabledAt === null ? (
                'Six digits that an app on your phone shows, new every 30 seconds.'
              ) : (
                <>
                  On since <ExactTime value={enabledAt} />.
                </>
              )}
            </p>
            {enabled ? (
              <Button danger onClick={() => setStep('switch app off')}>
                Switch off
              </Button>
            ) : (
              <Button onClick={() => setStep('switch app on')}>Switch on</Button>
            )}
          </section>
          {isOn ? (
            <section className={styles['way']} aria-labelledby="codes-title">
              <h3 id="codes-title">Backup codes</h3>
              <p className={styles['quiet']}>Each signs you in once when you have no device at hand.</p>
              <Button onClick={() => setStep('renew codes')}>New backup codes</Button>
            </section>
          ) : null}
        </>
      )}
    </div>
  );
}

function leftWords(left: number): string {
  if (left === 0) return 'No backup code is left.';
  return left === 1 ? 'One backup code is left.' : `${left} backup codes are left.`;
}
