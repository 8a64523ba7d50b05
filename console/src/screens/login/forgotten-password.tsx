/** Asks for a link by mail. What it answers is the same for addresses that are known and those that are not. */

import { required } from '@patch/contract/form-rules/required-rules.ts';
import { forgotPasswordEndpoint } from '@patch/contract/password-reset-endpoints.ts';
import { useState } from 'react';
import { callApi } from '../../api/call-api.ts';
import { FirstInput } from '../../forms/first-input.tsx';
import { RuleField } from '../../forms/rule-field.tsx';
import { RuleForm } from '../../forms/rule-form.tsx';
import { SubmitButton } from '../../forms/submit-button.tsx';
import { Button } from '../../widgets/button.tsx';
import { Notice } from '../../widgets/notice.tsx';
import styles from './login-screen.module.css';

interface Entered {
  readonly email: string;
}

export function ForgottenPassword({ onBack }: { readonly onBack: () => void }) {
  const [told, setTold] = useState<string>();
  async function ask({ email }: Entered): Promise<void> {
    const { message } = await callApi(forgotPasswordEndpoint, { body: { email: email.trim() } });
    setTold(message);
  }
  return (
    <>
      <h1 className={styles['heading']}>Reset your password</h1>
      <p className={styles['under']}>We will email you a link to choose a new one.</p>
      {told === undefined ? (
        <RuleForm<Entered> size="large" quiet onSubmit={ask}>
          <RuleField name="email" label="Email" rules={[required]}>
            <FirstInput type="email" autoComplete="email" maxLength={254} />
          </RuleField>
          <div className={styles['submit']}>
            <SubmitButton block>Send the link</SubmitButton>
          </div>
        </RuleForm>
      ) : (
        <Notice className={styles['alert']} kind="success" title={told} />
      )}
      <Button look="link" onClick={onBack}>
        Back to sign in
      </Button>
    </>
  );
}
