/** The form of the email configuration, and the result of its test. */
import { port } from '@patch/contract/form-rules/network-rules.ts';
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { tagsRule } from '@patch/contract/form-rules/tag-rules.ts';
import { email, shortText } from '@patch/contract/form-rules/text-rules.ts';
import {
  type EmailConfig,
  type KnownEmailConfig,
  type MailStage,
  type MailTest,
  maxRecipients,
  parseAddresses,
  saveEmailConfigEndpoint,
  testEmailConfigEndpoint,
} from '@patch/contract/operations/mail-endpoints.ts';
import { Form } from 'antd';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { RuleField } from '../../forms/rule-field.tsx';
import { TagPicker } from '../../forms/tag-picker.tsx';
import { NumberField, SelectField, TextField, toOptions } from '../../resources/form-fields.tsx';
import { SecretFields, TestedForm } from '../../resources/tested-form.tsx';
import { colour } from '../../theme/tokens.ts';
import { StageList } from '../../widgets/stage-list.tsx';
import { TimeAgo } from '../../widgets/time-ago.tsx';
import styles from './email.module.css';

interface EmailDraft extends Omit<EmailConfig, 'port' | 'protocol' | 'password' | 'toEmailId'> {
  readonly port: number | null;
  /** Empty until typed. Empty leaves the saved password unchanged. */
  readonly password: string;
  /** The server needs no sign-in. */
  readonly withoutPassword: boolean;
  readonly toEmailId: readonly string[];
}

type SecurityType = EmailConfig['securityType'];

/** The usual port of each security type. */
const defaultPorts: Readonly<Record<SecurityType, number>> = { none: 25, starttls: 587, tls: 465 };

const securityLabels: Readonly<Record<SecurityType, string>> = {
  starttls: 'STARTTLS: encrypted, or not sent',
  tls: 'TLS: encrypted from the start',
  none: 'None: not encrypted',
};

const newDraft: EmailDraft = {
  server: '',
  port: defaultPorts.starttls,
  securityType: 'starttls',
  email: '',
  password: '',
  withoutPassword: false,
  replyToEmail: '',
  toEmailId: [],
  senderName: 'Patch Repository',
};

export function toEmailDraft(config: KnownEmailConfig | null): EmailDraft {
  if (config === null) return newDraft;
  const { protocol: _always, passwordSet, toEmailId, ...same } = config;
  return {
    ...same,
    toEmailId: parseAddresses(toEmailId),
    password: '',
    withoutPassword: !passwordSet,
  };
}

export function toEmailConfig(draft: EmailDraft): EmailConfig {
  const { password, withoutPassword, ...same } = draft;
  return {
    ...same,
    server: draft.server.trim(),
    port: draft.port ?? 0,
    protocol: 'smtp',
    email: draft.email.trim(),
    ...(withoutPassword ? { password: '' } : password === '' ? {} : { password }),
    replyToEmail: draft.replyToEmail.trim(),
    toEmailId: draft.toEmailId.join(','),
    senderName: draft.senderName.trim(),
  };
}

interface EmailFormProps {
  readonly config: KnownEmailConfig | null;
  readonly lastTest: MailTest | null;
}

/** The saved password is valid only for the server that it was entered for. */
const fieldErrors = { password_needed: 'password', mail_target: 'server' } as const;

export function EmailForm({ config, lastTest }: EmailFormProps) {
  const [form] = Form.useForm<EmailDraft>();
  return (
    <TestedForm<EmailDraft, MailTest>
      form={form}
      what="email configuration"
      testLabel="Test connection"
      initialValues={toEmailDraft(config)}
      requiredMark="optional"
      className={styles['form'] ?? ''}
      fieldErrors={fieldErrors}
      onValuesChange={({ securityType }: Partial<EmailDraft>) => {
        if (securityType !== undefined) form.setFieldValue('port', defaultPorts[securityType]);
      }}
      onSave={async (draft) => {
        const body = toEmailConfig(draft);
        const { message, config: saved } = await callApi(saveEmailConfigEndpoint, { body });
        return { message, saved: toEmailDraft(saved) };
      }}
      onTest={(draft) => callApi(testEmailConfigEndpoint, { body: toEmailConfig(draft) })}
      showsTestFailure
      lastTest={lastTest}
      result={(test) => <MailTestResult test={test} />}
      invalidates={[queryKeys.email.configuration(), queryKeys.email.configured()]}
    >
      <EmailFields isPasswordSet={config?.passwordSet === true} />
    </TestedForm>
  );
}

function EmailFields({ isPasswordSet }: { readonly isPasswordSet: boolean }) {
  return (
    <>
      <div className={styles['pair']}>
        <TextField
          name="server"
          label="Server"
          required
          rules={[required]}
          input={{ placeholder: 'smtp.example.org', spellCheck: false, maxLength: 253 }}
        />
        <NumberField
          name="port"
          label="Port"
          required
          rules={[required, port]}
          input={{ min: 1 }}
        />
      </div>
      <SelectField
        name="securityType"
        label="Security"
        required
        options={toOptions(securityLabels)}
      />
      <TextField
        name="email"
        label="Sender’s email"
        required
        rules={[required, email]}
        input={{ type: 'email', maxLength: 254 }}
      />
      <TextField
        name="senderName"
        label="Sender’s name"
        rules={[shortText]}
        input={{ autoComplete: 'on', maxLength: 200 }}
      />
      <SecretFields
        name="password"
        label="Password"
        isSet={isPasswordSet}
        hint="For signing in with the sender’s email."
        without={['withoutPassword', 'No authentication']}
      />
      <TextField
        name="replyToEmail"
        label="Reply to"
        rules={[email]}
        input={{ type: 'email', maxLength: 254 }}
      />
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

const stageLabels: Readonly<Record<MailStage, string>> = {
  resolve: 'Look up the server',
  connect: 'Connect',
  tls: 'Encrypt',
  greeting: 'Greeting',
  login: 'Sign in',
  accept: 'Send an email',
};

/** The stages of a test email, with advice for the failed one. */
export function MailTestResult({ test }: { readonly test: MailTest }) {
  return (
    <section className={styles['result']} aria-label="Last test" aria-live="polite">
      <p className={styles['head']}>
        <strong style={{ color: colour(test.success ? 'success' : 'danger') }}>
          {test.message}
        </strong>
        <span>
          {test.success ? 'Connection was successfully established' : 'Failed to connect.'}
        </span>
        <span className={styles['time']}>
          tested <TimeAgo value={test.testedAt} />
        </span>
      </p>
      <StageList
        stages={test.stages.map(({ stage, ...result }) => ({
          ...result,
          name: stageLabels[stage],
        }))}
      />
    </section>
  );
}
