/** Asks for the password, and for a code if the account has one. Users of an identity provider are sent back to it. */
import { proofFactorsEndpoint } from '@patch/contract/accounts/second-factor-endpoints.ts';
import { proveIdentityEndpoint } from '@patch/contract/accounts/sign-in-endpoints.ts';
import { startSsoEndpoint } from '@patch/contract/accounts/sso-endpoints.ts';
import { otpRequired } from '@patch/contract/accounts/two-factor-endpoints.ts';
import { Modal } from 'antd';
import { useState } from 'react';
import { ApiCallError, callApi } from '../api/call-api.ts';
import { useSession } from '../api/session.ts';
import { Button, buttonClass } from '../widgets/button.tsx';
import { useReturnFocus } from '../widgets/use-return-focus.ts';
import { type ProofInput, ProofInputs } from './proof-form.tsx';
import styles from './second-factor.module.css';
import { useFactor } from './use-factor.ts';

export function ProofDialog({ onSettled }: { readonly onSettled: (proven: boolean) => void }) {
  useReturnFocus();
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
    <ProofInputs
      submitLabel="Confirm"
      passwordNote="Required before changes that affect accounts."
      factor={needsFactor && !factor.pending ? factor : undefined}
      focused
      onSubmit={prove}
      onCancel={onCancel}
    />
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
