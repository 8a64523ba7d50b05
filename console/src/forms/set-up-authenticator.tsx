/** Enables the authenticator app: the user enters the secret into the app and proves it with a code. */

import {
  beginTwoFactorEndpoint,
  enableTwoFactorEndpoint,
} from '@patch/contract/accounts/two-factor-endpoints.ts';
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { useQuery } from '@tanstack/react-query';
import { Input, QRCode } from 'antd';
import { callApi } from '../api/call-api.ts';
import { queryKeys } from '../api/query-keys.ts';
import { Button } from '../widgets/button.tsx';
import { CopyButton } from '../widgets/copy-button.tsx';
import { takeFocus } from '../widgets/focus.ts';
import { LoadFailure } from '../widgets/load-failure.tsx';
import { Skeleton } from '../widgets/skeleton.tsx';
import { PasswordField } from './password-field.tsx';
import { RuleField } from './rule-field.tsx';
import { RuleForm } from './rule-form.tsx';
import styles from './second-factor.module.css';
import { SubmitButton } from './submit-button.tsx';

interface FirstCodeInput {
  readonly password: string;
  readonly otp: string;
}

const fieldErrors = { wrong_password: 'password', wrong_code: 'otp' } as const;

interface SetUpAuthenticatorProps {
  readonly onDone: (backupCodes: readonly string[]) => Promise<void>;
  readonly onCancel: () => void;
}

export function SetUpAuthenticator({ onDone, onCancel }: SetUpAuthenticatorProps) {
  // Each opening creates a secret, which stays the same while it is shown.
  const enrolment = useQuery({
    queryKey: queryKeys.secondFactor.newSecret(),
    queryFn: ({ signal }) => callApi(beginTwoFactorEndpoint, { signal }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
  });
  if (enrolment.data === undefined)
    return enrolment.isPending ? (
      <Skeleton rows={6} />
    ) : (
      <div className={styles['factor']}>
        <LoadFailure
          what="secret"
          failure={enrolment.error}
          onReload={() => void enrolment.refetch()}
        />
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    );
  const { secret, uri } = enrolment.data;
  return (
    <ol
      ref={takeFocus}
      tabIndex={-1}
      aria-label="Set up the authenticator app"
      className={styles['steps']}
    >
      <li>
        Scan this code with an authenticator app on your phone, or enter the secret by hand.
        <SecretToScan secret={secret} uri={uri} />
      </li>
      <li>
        Enter your password and the code that the app shows.
        <FirstCodeForm onDone={onDone} onCancel={onCancel} />
      </li>
    </ol>
  );
}

function SecretToScan({ secret, uri }: { readonly secret: string; readonly uri: string }) {
  return (
    <div className={styles['scan']}>
      <div className={styles['qr']} role="img" aria-label="QR code with the authenticator secret">
        <QRCode value={uri} type="svg" size={176} bordered={false} color="#000" bgColor="#fff" />
      </div>
      <span className={styles['secret']}>
        <code>{secret.match(/.{1,4}/g)?.join(' ')}</code> <CopyButton text={secret} what="secret" />
      </span>
    </div>
  );
}

function FirstCodeForm({ onDone, onCancel }: SetUpAuthenticatorProps) {
  return (
    <RuleForm<FirstCodeInput>
      className={styles['form'] ?? ''}
      quiet
      fieldErrors={fieldErrors}
      onSubmit={async ({ password, otp }) =>
        onDone(
          (await callApi(enableTwoFactorEndpoint, { body: { password, otp: otp.trim() } }))
            .backupCodes,
        )
      }
    >
      <RuleField name="password" label="Current password" rules={[required]}>
        <PasswordField autoComplete="current-password" />
      </RuleField>
      <RuleField
        name="otp"
        label="Code"
        rules={[required]}
        extra="Six digits, new every 30 seconds."
      >
        <Input
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={16}
          className={styles['code'] ?? ''}
        />
      </RuleField>
      <div className={styles['buttons']}>
        <SubmitButton>Enable</SubmitButton>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </RuleForm>
  );
}
