/** The fields of the email configuration: mail server, sender and recipients. */
import { port } from '@patch/contract/form-rules/network-rules.ts';
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { tagsRule } from '@patch/contract/form-rules/tag-rules.ts';
import { email, shortText } from '@patch/contract/form-rules/text-rules.ts';
import { maxRecipients } from '@patch/contract/mail-endpoints.ts';
import { Form, Input, InputNumber, Select } from 'antd';
import { PasswordField } from '../../forms/password-field.tsx';
import { RuleField } from '../../forms/rule-field.tsx';
import { TagPicker } from '../../forms/tag-picker.tsx';
import { CheckBox } from '../../widgets/check-box.tsx';
import styles from './email-form.module.css';

const securityTypes = [
  { value: 'starttls', label: 'STARTTLS: encrypted, or not sent' },
  { value: 'tls', label: 'TLS: encrypted from the start' },
  { value: 'none', label: 'None: not encrypted' },
];

export function ServerFields() {
  return (
    <>
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
      <RuleField name="securityType" label="Security" required isChoice>
        <Select options={securityTypes} />
      </RuleField>
    </>
  );
}

/** `passwordSet` says that the server has a password, which it never returns. */
export function SenderFields({ passwordSet }: { readonly passwordSet: boolean }) {
  const withoutPassword = Form.useWatch<boolean | undefined>('withoutPassword') ?? false;
  return (
    <>
      <RuleField name="email" label="Sender’s email" required rules={[required, email]}>
        <Input type="email" autoComplete="off" maxLength={254} />
      </RuleField>
      <RuleField name="senderName" label="Sender’s name" rules={[shortText]}>
        <Input maxLength={200} />
      </RuleField>
      <RuleField
        name="password"
        label="Password"
        extra={
          passwordSet
            ? '••• set. Leave empty to keep it.'
            : 'For signing in with the sender’s email.'
        }
      >
        <PasswordField autoComplete="new-password" disabled={withoutPassword} />
      </RuleField>
      <RuleField name="withoutPassword" valuePropName="checked" isChoice>
        <CheckBox>No authentication</CheckBox>
      </RuleField>
    </>
  );
}

export function AddressFields() {
  return (
    <>
      <RuleField name="replyToEmail" label="Reply to" rules={[email]}>
        <Input type="email" autoComplete="off" maxLength={254} />
      </RuleField>
      <RuleField
        name="toEmailId"
        label="Recipients"
        extra="They receive notifications and the test email."
        rules={[tagsRule('email', { alwaysText: true, most: maxRecipients })]}
      >
        <TagPicker label="Recipients" kind="email" alwaysText maxTags={maxRecipients} />
      </RuleField>
    </>
  );
}
