/** Requests a reset link by email. The reply is the same for known and unknown addresses. */

import { forgotPasswordEndpoint } from '@patch/contract/accounts/password-reset-endpoints.ts';
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { useState } from 'react';
import { useAbout } from '../../api/about.ts';
import { callApi } from '../../api/call-api.ts';
import { FirstInput } from '../../forms/first-input.tsx';
import { RuleField } from '../../forms/rule-field.tsx';
import { RuleForm } from '../../forms/rule-form.tsx';
import { SubmitButton } from '../../forms/submit-button.tsx';
import { Button } from '../../widgets/button.tsx';
import { Notice } from '../../widgets/notice.tsx';
import styles from './login-screen.module.css';

interface ResetRequest {
  readonly email: string;
}

export function ForgottenPassword({ onBack }: { readonly onBack: () => void }) {
  const { sendsMail } = useAbout();
  const [message, setMessage] = useState<string>();
  async function requestLink({ email }: ResetRequest): Promise<void> {
    const { message: reply } = await callApi(forgotPasswordEndpoint, {
      body: { email: email.trim() },
    });
    setMessage(reply);
  }
  return (
    <>
      <h1 className={styles['heading']}>Reset your password</h1>
      <p className={styles['under']}>
        {sendsMail
          ? 'We will email you a link to choose a new one.'
          : 'This installation sends no email. An administrator can set a new password for you; the last administrator runs “npm run recover-administrator” on the server.'}
      </p>
      {!sendsMail ? null : message === undefined ? (
        <RuleForm<ResetRequest> size="large" quiet onSubmit={requestLink}>
          <RuleField name="email" label="Email" rules={[required]}>
            <FirstInput type="email" autoComplete="email" maxLength={254} />
          </RuleField>
          <div className={styles['submit']}>
            <SubmitButton block>Send the link</SubmitButton>
          </div>
        </RuleForm>
      ) : (
        <Notice className={styles['alert']} kind="success" title={message} />
      )}
      <Button look="link" onClick={onBack}>
        Back to sign in
      </Button>
    </>
  );
}
