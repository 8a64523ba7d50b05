/** The user's own second factor: authenticator app, passkeys and backup codes. */
import { SafetyOutlined } from '@ant-design/icons-svg';
import { passkeysEndpoint } from '@patch/contract/accounts/passkey-endpoints.ts';
import { twoFactorEndpoint } from '@patch/contract/accounts/two-factor-endpoints.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../api/api-query.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useSession } from '../../api/session.ts';
import { BackupCodes } from '../../forms/backup-codes.tsx';
import styles from '../../forms/second-factor.module.css';
import { Icon } from '../../widgets/icon.tsx';
import { LoadFailure } from '../../widgets/load-failure.tsx';
import { Notice } from '../../widgets/notice.tsx';
import { Skeleton } from '../../widgets/skeleton.tsx';
import { FactorMethods, type FactorStep, FactorStepForm } from './second-factor-ways.tsx';

export function TwoFactorSection() {
  const { app, passkeys, refresh } = useSecondFactor();
  const [step, setStep] = useState<FactorStep | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);

  async function done(shown: readonly string[] | null): Promise<void> {
    setCodes(shown);
    setStep(null);
    await refresh();
  }

  if (app.data === undefined || passkeys.data === undefined)
    return app.isPending || passkeys.isPending ? (
      <Skeleton rows={2} />
    ) : (
      <LoadFailure
        what="second factor"
        failure={app.error ?? passkeys.error ?? new Error('The server sent no data.')}
        onReload={() => void refresh()}
      />
    );
  if (codes !== null) return <BackupCodes codes={codes} onSaved={() => setCodes(null)} />;

  const isOn = app.data.enabled || passkeys.data.objList.length > 0;
  return (
    <div className={styles['factor']}>
      <FactorState isOn={isOn} backupCodesLeft={app.data.backupCodesLeft} />
      {step === null ? (
        <FactorMethods app={app.data} passkeys={passkeys.data} isOn={isOn} onStep={setStep} />
      ) : (
        <FactorStepForm step={step} onDone={done} onCancel={() => setStep(null)} />
      )}
    </div>
  );
}

/** Reads the user's authenticator app and passkeys; `refresh` reads both again. */
function useSecondFactor() {
  const app = useQuery(apiQuery(queryKeys.secondFactor.state(), twoFactorEndpoint));
  const passkeys = useQuery(apiQuery(queryKeys.passkeys.all(), passkeysEndpoint));
  async function refresh(): Promise<void> {
    await Promise.all([app.refetch(), passkeys.refetch()]);
  }
  return { app, passkeys, refresh };
}

interface FactorStateProps {
  readonly isOn: boolean;
  readonly backupCodesLeft: number;
}

/** States whether a second factor is enabled, and how many backup codes are left. */
function FactorState({ isOn, backupCodesLeft }: FactorStateProps) {
  const { loginType } = useSession();
  return (
    <>
      <p className={styles['standing']} data-on={isOn || undefined}>
        <Icon of={SafetyOutlined} />
        {isOn
          ? `On: required after your password when you sign in. ${formatCodesLeft(backupCodesLeft)}`
          : 'Off: you sign in with your password only.'}
      </p>
      {isOn && backupCodesLeft < 3 ? (
        <Notice
          kind="warning"
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
    </>
  );
}

function formatCodesLeft(left: number): string {
  if (left === 0) return 'No backup codes left.';
  return left === 1 ? 'One backup code left.' : `${left} backup codes left.`;
}
