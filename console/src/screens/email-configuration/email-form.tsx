/** The form of the email configuration. The server never returns the password; an empty field leaves it unchanged. */

import { formInvalid, formInvalidTitle } from '@patch/contract/form-rules/form-rule.ts';
import {
  type KnownEmailConfig,
  type MailTest,
  saveEmailConfigEndpoint,
  testEmailConfigEndpoint,
} from '@patch/contract/mail-endpoints.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Form } from 'antd';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { toast } from '../../api/toast.ts';
import { RuleForm } from '../../forms/rule-form.tsx';
import { SubmitButton } from '../../forms/submit-button.tsx';
import { UnsavedMark } from '../../forms/unsaved-mark.tsx';
import { Button } from '../../widgets/button.tsx';
import { Notice } from '../../widgets/notice.tsx';
import { defaultPorts, type EmailDraft, toEmailConfig, toEmailDraft } from './email-draft.ts';
import { AddressFields, SenderFields, ServerFields } from './email-fields.tsx';
import styles from './email-form.module.css';
import { MailTestResult } from './mail-test-result.tsx';

interface EmailFormProps {
  readonly config: KnownEmailConfig | null;
  readonly lastTest: MailTest | null;
}

/** The saved password is valid only for the server that it was entered for. */
const fieldErrors = { password_needed: 'password', mail_target: 'server' } as const;

export function EmailForm({ config, lastTest }: EmailFormProps) {
  const [form] = Form.useForm<EmailDraft>();
  const queries = useQueryClient();
  const test = useMutation({
    mutationFn: (draft: EmailDraft) =>
      callApi(testEmailConfigEndpoint, { body: toEmailConfig(draft) }),
    meta: { quiet: true },
  });
  const result = test.data ?? lastTest;

  async function save(draft: EmailDraft): Promise<void> {
    const { message, config: saved } = await callApi(saveEmailConfigEndpoint, {
      body: toEmailConfig(draft),
    });
    toast.success(message);
    form.setFieldsValue(toEmailDraft(saved));
    await Promise.all(
      [queryKeys.email.configuration(), queryKeys.email.configured()].map((queryKey) =>
        queries.invalidateQueries({ queryKey }),
      ),
    );
  }

  return (
    <RuleForm<EmailDraft>
      form={form}
      initialValues={toEmailDraft(config)}
      requiredMark="optional"
      className={styles['form'] ?? ''}
      unsaved={{ message: 'Your changes to the email configuration are not saved.' }}
      onSubmit={save}
      fieldErrors={fieldErrors}
      onValuesChange={({ securityType }: Partial<EmailDraft>) => {
        if (securityType !== undefined) form.setFieldValue('port', defaultPorts[securityType]);
      }}
    >
      {test.error === null ? null : (
        <Notice className={styles['alert']} kind="error" title={test.error.message} />
      )}
      <ServerFields />
      <SenderFields passwordSet={config?.passwordSet === true} />
      <AddressFields />
      <div className={styles['buttons']}>
        <SubmitButton whenChanged>Save</SubmitButton>
        <Button
          loading={test.isPending}
          onClick={() =>
            void form.validateFields().then(
              (draft) => test.mutate(draft),
              () => toast.error(formInvalidTitle, formInvalid),
            )
          }
        >
          Test connection
        </Button>
        <UnsavedMark />
      </div>
      {result === null ? null : <MailTestResult test={result} />}
    </RuleForm>
  );
}
