/** The second factors and their actions: passkeys, authenticator app and backup codes. */
import type { passkeysEndpoint } from '@patch/contract/passkey-endpoints.ts';
import type { twoFactorEndpoint } from '@patch/contract/two-factor-endpoints.ts';
import type { z } from 'zod';
import { browserHasPasskeys } from '../../api/browser-passkeys.ts';
import styles from '../../forms/second-factor.module.css';
import { Button } from '../../widgets/button.tsx';
import { ExactTime } from '../../widgets/time-ago.tsx';
import type { FactorStep } from './factor-step-form.tsx';
import { PasskeyList } from './passkey-list.tsx';

interface MethodProps {
  readonly onStep: (step: FactorStep) => void;
}

interface PasskeyMethodProps extends MethodProps {
  readonly passkeys: z.infer<typeof passkeysEndpoint.reply>;
  /** Whether any second factor is enabled. Then this one is not urgent. */
  readonly isOn: boolean;
}

export function PasskeyMethod({
  passkeys: { objList, unavailable },
  isOn,
  onStep,
}: PasskeyMethodProps) {
  return (
    <section className={styles['way']} aria-labelledby="passkeys-title">
      <h3 id="passkeys-title">Passkeys</h3>
      <p className={styles['quiet']}>
        {unavailable ??
          'Fingerprint, face, PIN or a security key. Works on this site only, so phishing pages cannot use it.'}
      </p>
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
    </section>
  );
}

interface AppMethodProps extends MethodProps {
  readonly app: z.infer<typeof twoFactorEndpoint.reply>;
}

export function AppMethod({ app: { enabled, enabledAt }, onStep }: AppMethodProps) {
  return (
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
        <Button danger onClick={() => onStep('switch app off')}>
          Disable
        </Button>
      ) : (
        <Button onClick={() => onStep('switch app on')}>Enable</Button>
      )}
    </section>
  );
}

export function BackupCodesMethod({ onStep }: MethodProps) {
  return (
    <section className={styles['way']} aria-labelledby="codes-title">
      <h3 id="codes-title">Backup codes</h3>
      <p className={styles['quiet']}>
        Each code signs you in once when you do not have your device.
      </p>
      <Button onClick={() => onStep('renew codes')}>New backup codes</Button>
    </section>
  );
}
