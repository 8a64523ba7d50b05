/** The own second factor: whether sign-in asks for it, switching it on and off, and new backup codes. */
import { SafetyOutlined } from '@ant-design/icons-svg';
import { disableTwoFactorCall, renewBackupCodesCall, twoFactorCall } from '@patch/contract/two-factor-calls.ts';
import { useQuery } from '@tanstack/react-query';
import { Alert, Skeleton } from 'antd';
import { useState } from 'react';
import { makeCall } from '../../api/make-call.ts';
import { useSession } from '../../api/session.ts';
import { Button } from '../../widgets/button.tsx';
import { Icon } from '../../widgets/icon.tsx';
import { LoadFailure } from '../../widgets/load-failure.tsx';
import { ExactTime } from '../../widgets/time-ago.tsx';
import { toast } from '../../widgets/toast.tsx';
import { BackupCodes } from '../../forms/backup-codes.tsx';
import { ProofForm } from '../../forms/proof-form.tsx';
import { SwitchOn } from '../../forms/switch-on.tsx';
import styles from '../../forms/second-factor.module.css';

type Step = 'on' | 'off' | 'codes' | null;

export function TwoFactorSection() {
  const { loginType } = useSession();
  const [step, setStep] = useState<Step>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const standing = useQuery({ queryKey: ['two-factor'], queryFn: ({ signal }) => makeCall(twoFactorCall, { signal }) });
  const { data } = standing;

  async function done(shown: readonly string[] | null): Promise<void> {
    setCodes(shown);
    setStep(null);
    await standing.refetch();
  }

  if (data === undefined)
    return standing.isPending ? (
      <Skeleton active title={false} paragraph={{ rows: 2 }} />
    ) : (
      <LoadFailure what="second factor" failure={standing.error} onReload={() => void standing.refetch()} />
    );
  if (codes !== null) return <BackupCodes codes={codes} onKept={() => setCodes(null)} />;
  const cancel = () => setStep(null);
  return (
    <div className={styles['factor']}>
      <p className={styles['standing']} data-on={data.enabled || undefined}>
        <Icon of={SafetyOutlined} />
        {data.enabledAt === null ? (
          'Off: your password alone signs you in.'
        ) : (
          <span>
            On since <ExactTime value={data.enabledAt} />. {leftWords(data.backupCodesLeft)}
          </span>
        )}
      </p>
      {data.enabled && data.backupCodesLeft < 3 ? (
        <Alert
          type="warning"
          showIcon
          title="Make new backup codes before the last ones are used up: without them and your phone you cannot sign in."
        />
      ) : null}
      {loginType === 'sso' && !data.enabled ? (
        <p className={styles['quiet']}>
          You signed in with an identity provider, which may ask for a second factor of its own. This one is asked for in addition.
          Switching it on takes a password: choose one by ‘Forgotten password?’ on the login page, if you have none.
        </p>
      ) : null}
      {step === 'on' ? (
        <SwitchOn onDone={done} onCancel={cancel} />
      ) : step === 'codes' ? (
        <ProofForm
          submitLabel="Make new codes"
          onCancel={cancel}
          onProof={async (proof) => done((await makeCall(renewBackupCodesCall, { body: proof })).backupCodes)}
        />
      ) : step === 'off' ? (
        <ProofForm
          submitLabel="Switch off"
          onCancel={cancel}
          onProof={async (proof) => {
            toast.success((await makeCall(disableTwoFactorCall, { body: proof })).message);
            await done(null);
          }}
        />
      ) : (
        <div className={styles['buttons']}>
          {data.enabled ? (
            <>
              <Button onClick={() => setStep('codes')}>New backup codes</Button>
              <Button danger onClick={() => setStep('off')}>
                Switch off
              </Button>
            </>
          ) : (
            <Button look="primary" onClick={() => setStep('on')}>
              Switch on
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

function leftWords(left: number): string {
  if (left === 0) return 'No backup code is left.';
  return left === 1 ? 'One backup code is left.' : `${left} backup codes are left.`;
}
