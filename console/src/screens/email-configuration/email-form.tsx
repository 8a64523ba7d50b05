/** The form of the e-mail configuration. The password is written and never read: left empty, the kept one stays. */

import { formInvalid, formInvalidTitle } from '@patch/contract/form-rules/form-rule.ts';
import { port } from '@patch/contract/form-rules/network-rules.ts';
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { tagsRule } from '@patch/contract/form-rules/tag-rules.ts';
import { email, shortText } from '@patch/contract/form-rules/text-rules.ts';
import {
  type KnownEmailConfig,
  type MailTest,
  maxRecipients,
  saveEmailConfigEndpoint,
  testEmailConfigEndpoint,
} from '@patch/contract/mail-endpoints.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Alert, Form, Input, InputNumber, Select } from 'antd';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { toast } from '../../api/toast.ts';
import { PasswordField } from '../../forms/password-field.tsx';
import { RuleField } from '../../forms/rule-field.tsx';
import { RuleForm } from '../../forms/rule-form.tsx';
import { SubmitButton } from '../../forms/submit-button.tsx';
import { TagPicker } from '../../forms/tag-picker.tsx';
import { UnsavedMark } from '../../forms/unsaved-mark.tsx';
import { Button } from '../../widgets/button.tsx';
import { CheckBox } from '../../widgets/check-box.tsx';
import { configOfDraft, draftOfConfig, type EmailDraft, usualPorts } from './email-draft.ts';
import styles from './email-form.module.css';
import { MailTestResult } from './mail-test-result.tsx';

interface EmailFormProps {
  readonly config: KnownEmailConfig | null;
  readonly lastTest: MailTest | null;
}

/** The kept password is good for the server it was entered for alone. */
const fieldErrors = { password_needed: 'password', mail_target: 'server' } as const;

const securityTypes = [
  { value: 'starttls', label: 'STARTTLS: encrypted, or not sent' },
  { value: 'tls', label: 'TLS: encrypted from the start' },
  { value: 'none', label: 'None: not encrypted' },
];

export function EmailForm({ config, lastTest }: EmailFormProps) {
  const [form] = Form.useForm<EmailDraft>();
  const queries = useQueryClient();
  const withoutPassword = Form.useWatch('withoutPassword', form) ?? false;
  const test = useMutation({
    mutationFn: (draft: EmailDraft) =>
      callApi(testEmailConfigEndpoint, { body: configOfDraft(draft) }),
    meta: { quiet: true },
  });
  const result = test.data ?? lastTest;

  async function save(draft: EmailDraft): Promise<void> {
    const { message, config: saved } = await callApi(saveEmailConfigEndpoint, {
      body: configOfDraft(draft),
    });
    toast.success(message);
    form.setFieldsValue(draftOfConfig(saved));
    await queries.invalidateQueries({ queryKey: queryKeys.email.configuration() });
  }

  return (
    <RuleForm<EmailDraft>
      form={form}
      initialValues={draftOfConfig(config)}
      requiredMark="optional"
      className={styles['form'] ?? ''}
      unsaved={{ words: 'Your changes to the e-mail configuration are not saved.' }}
      onSubmit={save}
      fieldErrors={fieldErrors}
      onValuesChange={({ securityType }: Partial<EmailDraft>) => {
        if (securityType !== undefined) form.setFieldValue('port', usualPorts[securityType]);
      }}
    >
      {test.error === null ? null : (
        <Alert className={styles['alert'] ?? ''} type="error" showIcon title={test.error.message} />
      )}
      <div className={styles['pair']}>
        <RuleField name="server" label="Server" required rules={[required]}>
          <Input
            placeholder="smtp.example.org"
            spellCheck={false}
            autoComplete="off"
            maxLength={253}
          />
        </RuleField>
        <RuleField name="port" label="Port" required rules={[required, port]}>
          <InputNumber min={1} precision={0} controls={false} className={styles['port'] ?? ''} />
        </RuleField>
      </div>
      <RuleField name="securityType" label="Security" required chosen>
        <Select options={securityTypes} />
      </RuleField>
      <RuleField name="email" label="Sender’s e-mail" required rules={[required, email]}>
        <Input type="email" autoComplete="off" maxLength={254} />
      </RuleField>
      <RuleField name="senderName" label="Sender’s name" rules={[shortText]}>
        <Input maxLength={200} />
      </RuleField>
      <RuleField
        name="password"
        label="Password"
        extra={
          config?.passwordSet === true
            ? '••• set. Leave empty to keep it.'
            : 'For signing in with the sender’s e-mail.'
        }
      >
        <PasswordField autoComplete="new-password" disabled={withoutPassword} />
      </RuleField>
      <RuleField name="withoutPassword" valuePropName="checked" chosen>
        <CheckBox>No authentication</CheckBox>
      </RuleField>
      <RuleField name="replyToEmail" label="Reply to" rules={[email]}>
        <Input type="email" autoComplete="off" maxLength={254} />
      </RuleField>
      <RuleField
        name="toEmailId"
        label="Recipients"
        extra="They receive notifications and the test email."
        rules={[tagsRule('email', { alwaysText: true, most: maxRecipients })]}
      >
        <TagPicker label="Recipients" kind="email" alwaysText most={maxRecipients} />
      </RuleField>
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
