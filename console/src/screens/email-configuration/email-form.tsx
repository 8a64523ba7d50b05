/** The form of the e-mail configuration. The password is written and never read: left empty, the kept one stays. */

import { formInvalid, formInvalidTitle } from '@patch/contract/form-rules/form-rule.ts';
import { port } from '@patch/contract/form-rules/network-rules.ts';
import { arrayMaxLength } from '@patch/contract/form-rules/number-rules.ts';
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { tagsRule } from '@patch/contract/form-rules/tag-rules.ts';
import { email, shortText } from '@patch/contract/form-rules/text-rules.ts';
import {
  type KnownEmailConfig,
  type MailTest,
  mostRecipients,
  saveEmailConfigCall,
  testEmailConfigCall,
} from '@patch/contract/mail-calls.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Alert, Form, Input, InputNumber, Select } from 'antd';
import { useState } from 'react';
import { makeCall } from '../../api/make-call.ts';
import { antdRule } from '../../forms/antd-rule.ts';
import { PasswordField } from '../../forms/password-field.tsx';
import { TagPicker } from '../../forms/tag-picker.tsx';
import { durations } from '../../theme/tokens.ts';
import { Button } from '../../widgets/button.tsx';
import { CheckBox } from '../../widgets/check-box.tsx';
import { toast } from '../../widgets/toast.tsx';
import { configOfDraft, draftOfConfig, type EmailDraft, usualPorts } from './email-draft.ts';
import styles from './email-form.module.css';
import { MailTestResult } from './mail-test-result.tsx';

interface EmailFormProps {
  readonly config: KnownEmailConfig | null;
  readonly lastTest: MailTest | null;
}

const securityTypes = [
  { value: 'starttls', label: 'STARTTLS: encrypted, or not sent' },
  { value: 'tls', label: 'TLS: encrypted from the beginning' },
  { value: 'none', label: 'None: readable on the way' },
];

export function EmailForm({ config, lastTest }: EmailFormProps) {
  const [form] = Form.useForm<EmailDraft>();
  const queries = useQueryClient();
  const [dirty, setDirty] = useState(false);
  const withoutPassword = Form.useWatch('withoutPassword', form) ?? false;
  const save = useMutation({
    mutationFn: (draft: EmailDraft) => makeCall(saveEmailConfigCall, { body: configOfDraft(draft) }),
    meta: { quiet: true },
    async onSuccess({ message, config: saved }) {
      toast.success(message);
      form.setFieldsValue(draftOfConfig(saved));
      setDirty(false);
      await queries.invalidateQueries({ queryKey: ['email configuration'] });
    },
  });
  const test = useMutation({
    mutationFn: (draft: EmailDraft) => makeCall(testEmailConfigCall, { body: configOfDraft(draft) }),
    meta: { quiet: true },
  });
  const invalid = () => toast.error(formInvalidTitle, formInvalid);
  const failure = save.error ?? test.error;
  const result = test.data ?? lastTest;
  const validated = { validateDebounce: durations.formValidates };

  return (
    <Form
      form={form}
      layout="vertical"
      requiredMark="optional"
      initialValues={draftOfConfig(config)}
      validateTrigger={['onChange', 'onBlur']}
      className={styles['form'] ?? ''}
      onValuesChange={(changed: Partial<EmailDraft>) => {
        setDirty(true);
        if (changed.securityType !== undefined) form.setFieldValue('port', usualPorts[changed.securityType]);
      }}
      onFinish={(draft) => save.mutate(draft)}
      onFinishFailed={invalid}
    >
      {failure === null ? null : <Alert className={styles['alert'] ?? ''} type="error" showIcon title={failure.message} />}
      <div className={styles['pair']}>
        <Form.Item name="server" label="Server" required rules={[antdRule('Server', required)]} {...validated}>
          <Input placeholder="smtp.example.org" spellCheck={false} autoComplete="off" maxLength={253} />
        </Form.Item>
        <Form.Item name="port" label="Port" required rules={[antdRule('Port', required), antdRule('Port', port)]} {...validated}>
          <InputNumber min={1} precision={0} controls={false} className={styles['port'] ?? ''} />
        </Form.Item>
      </div>
      <Form.Item name="securityType" label="Security" required>
        <Select options={securityTypes} />
      </Form.Item>
      <Form.Item
        name="email"
        label="Sender’s e-mail"
        required
        rules={[antdRule('Sender’s e-mail', required), antdRule('Sender’s e-mail', email)]}
        {...validated}
      >
        <Input type="email" autoComplete="off" maxLength={254} />
      </Form.Item>
      <Form.Item name="senderName" label="Sender’s name" rules={[antdRule('Sender Name', shortText)]} {...validated}>
        <Input maxLength={200} />
      </Form.Item>
      <Form.Item
        name="password"
        label="Password"
        extra={config?.passwordSet === true ? '••• set. Leave it empty to keep it.' : 'Of the login with the sender’s e-mail.'}
      >
        <PasswordField autoComplete="new-password" disabled={withoutPassword} />
      </Form.Item>
      <Form.Item name="withoutPassword" valuePropName="checked">
        <CheckBox>Without a login</CheckBox>
      </Form.Item>
      <Form.Item name="replyToEmail" label="Reply to" rules={[antdRule('Reply to', email)]} {...validated}>
        <Input type="email" autoComplete="off" maxLength={254} />
      </Form.Item>
      <Form.Item
        name="toEmailId"
        label="Recipients"
        extra="Who is told of what happens, and who gets the test mail."
        rules={[antdRule('Recipients', tagsRule('email', { alwaysText: true }), arrayMaxLength(mostRecipients))]}
        {...validated}
      >
        <TagPicker label="Recipients" kind="email" alwaysText />
      </Form.Item>
      <div className={styles['buttons']}>
        <Button look="primary" type="submit" disabled={!dirty} loading={save.isPending}>
          Save
        </Button>
        <Button
          loading={test.isPending}
          onClick={() =>
            void form.validateFields().then(
              (draft) => test.mutate(draft),
              () => invalid(),
            )
          }
        >
          Test connection
        </Button>
        {dirty ? <span className={styles['dirty']}>Not saved yet</span> : null}
      </div>
      {result === null ? null : <MailTestResult test={result} />}
    </Form>
  );
}
