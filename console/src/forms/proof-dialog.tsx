/** Asks for the password, and for a code if the account has one. Users of an identity provider are sent back to it. */
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { proofFactorsEndpoint } from '@patch/contract/second-factor-endpoints.ts';
import { proveIdentityEndpoint } from '@patch/contract/sign-in-endpoints.ts';
import { startSsoEndpoint } from '@patch/contract/sso-endpoints.ts';
import { otpRequired } from '@patch/contract/two-factor-endpoints.ts';
import { Modal } from 'antd';
import { useState } from 'react';
import { ApiCallError, callApi } from '../api/call-api.ts';
import { useSession } from '../api/session.ts';
import { Button, buttonClass } from '../widgets/button.tsx';
import { FactorField } from './factor-field.tsx';
import { PasswordField } from './password-field.tsx';
import { RuleField } from './rule-field.tsx';
import { RuleForm } from './rule-form.tsx';
import styles from './second-factor.module.css';
import { SubmitButton } from './submit-button.tsx';
import { useFactor } from './use-factor.ts';

interface ProofInput {
  readonly password: string;
  readonly otp?: string;
}

const fieldErrors = { wrong_password: 'password', otp_wrong: 'otp' } as const;

export function ProofDialog({ onSettled }: { readonly onSettled: (proven: boolean) => void }) {
  const { loginType } = useSession();
  const cancel = () => onSettled(false);
  return (
    <Modal
      open
      centered
      width={416}
      title="Confirm your identity"
      mask={{ closable: false }}
      footer={null}
      onCancel={cancel}
    >
      {loginType === 'sso' ? (
        <ProviderProof onCancel={cancel} />
      ) : (
        <PasswordProof onDone={() => onSettled(true)} onCancel={cancel} />
      )}
    </Modal>
  );
}

function PasswordProof({
  onDone,
  onCancel,
}: {
  readonly onDone: () => void;
  readonly onCancel: () => void;
}) {
  const [needsFactor, setNeedsFactor] = useState(false);
  const factor = useFactor(
    'proof',
    (signal) => callApi(proofFactorsEndpoint, { signal }),
    needsFactor,
  );
  async function prove({ password, otp }: ProofInput): Promise<void> {
    try {
      await callApi(proveIdentityEndpoint, {
        body: { password, ...(needsFactor && (await factor.getProof(otp))) },
      });
    } catch (failure) {
      if (!(failure instanceof ApiCallError) || failure.code !== otpRequired || needsFactor)
        throw failure;
      setNeedsFactor(true);
      return;
    }
    onDone();
  }
  return (
    <RuleForm<ProofInput>
      quiet
      fieldErrors={factor.method === 'code' ? fieldErrors : { wrong_password: 'password' }}
      onSubmit={prove}
    >
      <RuleField
        name="password"
        label="Current password"
        rules={[required]}
        extra="Required before changes that affect accounts."
      >
        <PasswordField autoComplete="current-password" />
      </RuleField>
      {needsFactor && !factor.pending ? <FactorField factor={factor} focused /> : null}
      <div className={styles['buttons']}>
        <SubmitButton>Confirm</SubmitButton>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </RuleForm>
  );
}

function ProviderProof({ onCancel }: { readonly onCancel: () => void }) {
  const { pathname, search } = globalThis.location;
  const query = new URLSearchParams({ fresh: 'true', redirectFrom: `${pathname}${search}` });
  return (
    <>
      <p>
        Sign in again with your identity provider. You will return to this page; unsaved changes are
        lost.
      </p>
      <div className={styles['buttons']}>
        <a
          className={buttonClass({ look: 'primary' })}
          href={`/api${startSsoEndpoint.path}?${query.toString()}`}
        >
          Go to the identity provider
        </a>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </>
  );
}
