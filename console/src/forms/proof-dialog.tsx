/** Asks for the password, and a code where one is needed; people of an identity provider are led back to it. */
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { startSsoCall } from '@patch/contract/sso-calls.ts';
import { proveIdentityCall } from '@patch/contract/sign-in-calls.ts';
import { proofFactorsCall } from '@patch/contract/second-factor-calls.ts';
import { otpRequired } from '@patch/contract/two-factor-calls.ts';
import { Modal } from 'antd';
import { useState } from 'react';
import { CallFailed, makeCall } from '../api/make-call.ts';
import { useSession } from '../api/session.ts';
import { Button, buttonClass } from '../widgets/button.tsx';
import { FactorField } from './factor-field.tsx';
import { PasswordField } from './password-field.tsx';
import { RuleField } from './rule-field.tsx';
import { RuleForm } from './rule-form.tsx';
import styles from './second-factor.module.css';
import { SubmitButton } from './submit-button.tsx';
import { useFactor } from './use-factor.ts';

interface Entered {
  readonly password: string;
  readonly otp?: string;
}

const refusedAt = { wrong_password: 'password', otp_wrong: 'otp' } as const;

export function ProofDialog({ onSettled }: { readonly onSettled: (proven: boolean) => void }) {
  const { loginType } = useSession();
  const cancel = () => onSettled(false);
  return (
    <Modal open centered width={416} title="Confirm your identity" mask={{ closable: false }} footer={null} onCancel={cancel}>
      {loginType === 'sso' ? <AtProvider onCancel={cancel} /> : <ByPassword onDone={() => onSettled(true)} onCancel={cancel} />}
    </Modal>
  );
}

function ByPassword({ onDone, onCancel }: { readonly onDone: () => void; readonly onCancel: () => void }) {
  const [asksFactor, setAsksFactor] = useState(false);
  const factor = useFactor('proof', (signal) => makeCall(proofFactorsCall, { signal }), asksFactor);
  async function prove({ password, otp }: Entered): Promise<void> {
    try {
      await makeCall(proveIdentityCall, { body: { password, ...(asksFactor && (await factor.show(otp))) } });
    } catch (failure) {
      if (!(failure instanceof CallFailed) || failure.code !== otpRequired || asksFactor) throw failure;
      setAsksFactor(true);
      return;
    }
    onDone();
  }
  return (
    <RuleForm<Entered> quiet refusedAt={factor.way === 'code' ? refusedAt : { wrong_password: 'password' }} onSubmit={prove}>
      <RuleField name="password" label="Current password" rules={[required]} extra="Required before changes that affect accounts.">
        <PasswordField autoComplete="current-password" />
      </RuleField>
      {asksFactor && !factor.pending ? <FactorField factor={factor} autoFocus /> : null}
      <div className={styles['buttons']}>
        <SubmitButton>Confirm</SubmitButton>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </RuleForm>
  );
}

function AtProvider({ onCancel }: { readonly onCancel: () => void }) {
  const { pathname, search } = globalThis.location;
  const query = new URLSearchParams({ fresh: 'true', redirectFrom: `${pathname}${search}` });
  return (
    <>
      <p>Sign in again with your identity provider. You will return to this page; unsaved changes are lost.</p>
      <div className={styles['buttons']}>
        <a className={buttonClass({ look: 'primary' })} href={`/api${startSsoCall.path}?${query.toString()}`}>
          Go to the identity provider
        </a>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </>
  );
}
