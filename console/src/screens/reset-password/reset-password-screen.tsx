/** The target of the link in the reset email. It sets a new password once. */

import {
  resetLinkEndpoint,
  resetPasswordEndpoint,
} from '@patch/contract/accounts/password-reset-endpoints.ts';
import { password } from '@patch/contract/form-rules/password-rule.ts';
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { confirmed } from '@patch/contract/form-rules/text-rules.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Form } from 'antd';
import { apiQuery } from '../../api/api-query.ts';
import { ApiCallError, callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { toast } from '../../api/toast.ts';
import { EndKeysField } from '../../forms/end-keys-field.tsx';
import { PasswordField } from '../../forms/password-field.tsx';
import { PasswordRuleList } from '../../forms/password-rule-list.tsx';
import { RuleField } from '../../forms/rule-field.tsx';
import { RuleForm } from '../../forms/rule-form.tsx';
import { SubmitButton } from '../../forms/submit-button.tsx';
import { Button } from '../../widgets/button.tsx';
import { LoadFailure } from '../../widgets/load-failure.tsx';
import { PageLoading } from '../../widgets/page-loading.tsx';
import { PublicFrame } from '../../widgets/public-frame.tsx';
import { StateDrawing } from '../../widgets/state-drawing.tsx';
import styles from './reset-password-screen.module.css';

interface NewPassword {
  readonly newPassword: string;
  readonly confirmPassword: string;
  readonly endApiKeys?: boolean;
}

const fieldErrors = { weak_password: 'newPassword', guessable_password: 'newPassword' } as const;
/** Statuses of replies that judge the link itself. */
const linkStatuses: ReadonlySet<number> = new Set([404, 422]);
const incompleteLink =
  'The link is incomplete. Open it from the email again, or copy the whole link.';

export function ResetPasswordScreen() {
  return (
    <PublicFrame>
      <ResetPassword />
    </PublicFrame>
  );
}

function ResetPassword() {
  const { id = '' } = useParams({ strict: false });
  const navigate = useNavigate();
  const [form] = Form.useForm<NewPassword>();
  const newPassword = Form.useWatch('newPassword', form) ?? '';
  const link = useQuery({
    ...apiQuery(queryKeys.passwords.resetLink(id), resetLinkEndpoint, { params: { id } }),
    retry: false,
  });
  async function reset({ newPassword: newPasswordValue, endApiKeys }: NewPassword): Promise<void> {
    const { message } = await callApi(resetPasswordEndpoint, {
      params: { id },
      body: { newPassword: newPasswordValue, ...(endApiKeys && { endApiKeys }) },
    });
    toast.success(message);
    void navigate({ to: '/login', replace: true });
  }
  const toLogin = () => void navigate({ to: '/login' });

  if (link.isPending) return <PageLoading />;
  if (link.data === undefined) {
    const failure = link.error;
    // Without a reply, the link's validity is unknown.
    if (!(failure instanceof ApiCallError) || !linkStatuses.has(failure.status))
      return <LoadFailure what="link" failure={failure} onReload={() => void link.refetch()} />;
    return (
      <StateDrawing
        isPage
        state="failure"
        title="This link is no longer valid"
        requestId={failure.requestId}
        action={
          <Button look="primary" onClick={toLogin}>
            Go to login
          </Button>
        }
      >
        {failure.status === 422 ? incompleteLink : failure.message}
      </StateDrawing>
    );
  }
  const { name, policy, apiKeys } = link.data;
  return (
    <div className={styles['column']}>
      <h1 className={styles['heading']}>Choose a new password</h1>
      <p className={styles['under']}>For {name}. All sessions of this account will end.</p>
      <RuleForm form={form} size="large" onSubmit={reset} fieldErrors={fieldErrors}>
        <RuleField name="newPassword" label="New password" rules={[required, password(policy)]}>
          <PasswordField autoComplete="new-password" size="large" />
        </RuleField>
        <PasswordRuleList policy={policy} password={newPassword} />
        <RuleField
          name="confirmPassword"
          label="Confirm password"
          dependsOn={['newPassword']}
          // Validation reads the form, because a keystroke reaches it before it is rendered.
          rules={[required, confirmed(() => form.getFieldValue('newPassword') as string)]}
        >
          <PasswordField autoComplete="new-password" size="large" />
        </RuleField>
        {apiKeys.length === 0 ? null : <EndKeysField names={apiKeys} />}
        <SubmitButton block>Set the password</SubmitButton>
      </RuleForm>
    </div>
  );
}
