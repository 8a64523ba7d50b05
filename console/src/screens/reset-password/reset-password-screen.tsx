/** Where the link of the mail leads: a new password, once. */

import { formInvalid, formInvalidTitle } from '@patch/contract/form-rules/form-rule.ts';
import { password } from '@patch/contract/form-rules/password-rule.ts';
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { confirmed } from '@patch/contract/form-rules/text-rules.ts';
import { resetLinkCall, resetPasswordCall } from '@patch/contract/password-reset-calls.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Alert, Form } from 'antd';
import { CallFailed, makeCall } from '../../api/make-call.ts';
import { antdRule } from '../../forms/antd-rule.ts';
import { PasswordField } from '../../forms/password-field.tsx';
import { PasswordRuleList } from '../../forms/password-rule-list.tsx';
import { durations } from '../../theme/tokens.ts';
import { Button } from '../../widgets/button.tsx';
import { StateDrawing } from '../../widgets/state-drawing.tsx';
import { toast } from '../../widgets/toast.tsx';
import styles from './reset-password-screen.module.css';

interface Entered {
  readonly newPassword: string;
  readonly confirmPassword: string;
}

export function ResetPasswordScreen() {
  const { id = '' } = useParams({ strict: false });
  const navigate = useNavigate();
  const [form] = Form.useForm<Entered>();
  const newPassword = Form.useWatch('newPassword', form) ?? '';
  const link = useQuery({
    queryKey: ['reset link', id],
    queryFn: ({ signal }) => makeCall(resetLinkCall, { params: { id }, signal }),
    retry: false,
  });
  const reset = useMutation({
    mutationFn: (entered: Entered) => makeCall(resetPasswordCall, { params: { id }, body: { newPassword: entered.newPassword } }),
    meta: { quiet: true },
    onSuccess({ message }) {
      toast.success(message);
      void navigate({ to: '/login', replace: true });
    },
  });
  const toLogin = () => void navigate({ to: '/login' });

  if (link.isPending) return null;
  if (link.data === undefined) {
    const failure = link.error;
    return (
      <StateDrawing
        wholePage
        state="failure"
        title="This link is good no more"
        requestId={failure instanceof CallFailed ? failure.requestId : null}
        action={
          <Button look="primary" onClick={toLogin}>
            Go to login
          </Button>
        }
      >
        {failure.message}
      </StateDrawing>
    );
  }
  const { name, policy } = link.data;
  return (
    <div className={styles['column']}>
      <h1 className={styles['heading']}>Choose a new password</h1>
      <p className={styles['under']}>For {name}. Whoever is signed in with the old one is signed out.</p>
      {reset.error === null ? null : <Alert className={styles['alert'] ?? ''} type="error" showIcon title={reset.error.message} />}
      <Form
        form={form}
        layout="vertical"
        size="large"
        requiredMark={false}
        validateTrigger={['onChange', 'onBlur']}
        onFinish={(entered) => reset.mutate(entered)}
        onFinishFailed={() => toast.error(formInvalidTitle, formInvalid)}
      >
        <Form.Item
          name="newPassword"
          label="New password"
          rules={[antdRule('New password', required), antdRule('New password', password(policy))]}
          validateDebounce={durations.formValidates}
        >
          <PasswordField autoComplete="new-password" size="large" />
        </Form.Item>
        <PasswordRuleList policy={policy} password={newPassword} />
        <Form.Item
          name="confirmPassword"
          label="Confirm password"
          dependencies={['newPassword']}
          rules={[
            antdRule(
              'Confirm password',
              required,
              // Read when it is asked: what was just typed is in the form before it is on the screen.
              confirmed(() => form.getFieldValue('newPassword') as string),
            ),
          ]}
          validateDebounce={durations.formValidates}
        >
          <PasswordField autoComplete="new-password" size="large" />
        </Form.Item>
        <Button look="primary" type="submit" block loading={reset.isPending}>
          Set the password
        </Button>
      </Form>
    </div>
  );
}
