/** The form of single sign-on. The client's secret is written and never read: left empty, the kept one stays. */

import {
  type FormRule,
  formInvalid,
  formInvalidTitle,
  whenGiven,
} from '@patch/contract/form-rules/form-rule.ts';
import { isDomain } from '@patch/contract/form-rules/network-rules.ts';
import { required } from '@patch/contract/form-rules/required-rules.ts';
import {
  isIssuer,
  issuerRule,
  type KnownSsoConfig,
  saveSsoConfigEndpoint,
  testSsoConfigEndpoint,
} from '@patch/contract/sso-endpoints.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Form, Input, Select } from 'antd';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { toast } from '../../api/toast.ts';
import { PasswordField } from '../../forms/password-field.tsx';
import { RuleField } from '../../forms/rule-field.tsx';
import { RuleForm } from '../../forms/rule-form.tsx';
import { SubmitButton } from '../../forms/submit-button.tsx';
import { UnsavedMark } from '../../forms/unsaved-mark.tsx';
import { Button } from '../../widgets/button.tsx';
import { CheckBox } from '../../widgets/check-box.tsx';
import { CopyButton } from '../../widgets/copy-button.tsx';
import { draftOfSso, type SsoDraft, ssoOfDraft } from './sso-draft.ts';
import styles from './sso-form.module.css';
import { SsoTestResult } from './sso-test-result.tsx';

interface SsoFormProps {
  readonly config: KnownSsoConfig | null;
  readonly redirectUri: string;
}

const issuer: FormRule<string | null | undefined> = whenGiven((value, field) =>
  isIssuer(value.trim()) ? null : `${field} ${issuerRule}`,
);
const scopes: FormRule<string | null | undefined> = whenGiven((value, field) =>
  value.split(/\s+/).includes('openid') ? null : `${field} must contain 'openid'`,
);
const domains: FormRule<readonly string[] | ''> = (value, field) => {
  const wrong = (value || []).find((domain) => !isDomain(domain.trim()));
  return wrong === undefined ? null : `${field}: '${wrong}' must be a domain, such as example.org`;
};

/** The kept secret is good for the provider it was entered for alone. */
const fieldErrors = { secret_needed: 'clientSecret' } as const;

export function SsoForm({ config, redirectUri }: SsoFormProps) {
  const [form] = Form.useForm<SsoDraft>();
  const queries = useQueryClient();
  const withoutSecret = Form.useWatch('withoutSecret', form) ?? false;
  const test = useMutation({
    mutationFn: (draft: SsoDraft) => callApi(testSsoConfigEndpoint, { body: ssoOfDraft(draft) }),
  });

  async function save(draft: SsoDraft): Promise<void> {
    const { message, config: saved } = await callApi(saveSsoConfigEndpoint, {
      body: ssoOfDraft(draft),
    });
    toast.success(message);
    form.setFieldsValue(draftOfSso(saved));
    await queries.invalidateQueries({ queryKey: queryKeys.sso.configuration() });
  }

  return (
    <RuleForm<SsoDraft>
      form={form}
      initialValues={draftOfSso(config)}
      unsaved={{ words: 'Your changes to the single sign-on configuration are not saved.' }}
      onSubmit={save}
      fieldErrors={fieldErrors}
      className={styles['form'] ?? ''}
    >
      <section className={styles['part']} aria-label="Identity provider">
        <h2>Identity provider</h2>
        <p className={styles['return']}>
          Register this redirect URI there: <code>{redirectUri}</code>{' '}
          <CopyButton text={redirectUri} what="redirect URI" />
        </p>
        <RuleField
          name="issuer"
          label="Issuer"
          rules={[required, issuer]}
          extra="Its address, without /.well-known/openid-configuration."
        >
          <Input
            type="url"
            placeholder="https://login.example.org"
            spellCheck={false}
            autoComplete="off"
            maxLength={500}
          />
        </RuleField>
        <RuleField name="clientId" label="Client ID" rules={[required]}>
          <Input spellCheck={false} autoComplete="off" maxLength={255} />
        </RuleField>
        <RuleField
          name="clientSecret"
          label="Client secret"
          extra={
            config?.clientSecretSet === true
              ? '••• set. Leave empty to keep it.'
              : 'From the identity provider.'
          }
        >
          <PasswordField autoComplete="new-password" disabled={withoutSecret} />
        </RuleField>
        <Form.Item name="withoutSecret" valuePropName="checked">
          <CheckBox>Public client without a secret</CheckBox>
        </Form.Item>
        <RuleField
          name="scopes"
          label="Scopes"
          rules={[required, scopes]}
          extra="Separated by spaces."
        >
          <Input spellCheck={false} autoComplete="off" maxLength={500} />
        </RuleField>
      </section>
      <section className={styles['part']} aria-label="Who may sign in">
        <h2>Who may sign in</h2>
        <RuleField
          name="allowedDomains"
          label="Allowed e-mail domains"
          rules={[domains]}
          chosen
          extra="Domains of verified e-mail addresses. Empty: everyone the identity provider signs in."
        >
          <Select mode="tags" open={false} suffixIcon={null} tokenSeparators={[',', ';', ' ']} />
        </RuleField>
        <Form.Item
          name="linkByEmail"
          valuePropName="checked"
          extra="Applies to administrators as well. Enable it only if you trust the identity provider."
        >
          <CheckBox>Sign users in to the account with the same verified e-mail address</CheckBox>
        </Form.Item>
        <Form.Item name="createUsers" valuePropName="checked">
          <CheckBox>Create a Standard account at the first sign-in</CheckBox>
        </Form.Item>
        <RuleField
          name="nameClaim"
          label="Claim of the user name"
          called="Claim"
          rules={[required]}
          extra="The name of a new account."
        >
          <Input spellCheck={false} autoComplete="off" maxLength={100} />
        </RuleField>
      </section>
      <section className={styles['part']} aria-label="On the login page">
        <h2>On the login page</h2>
        <RuleField name="label" label="Sign in with …" called="Name" rules={[required]}>
          <Input placeholder="Example Corporation" autoComplete="off" maxLength={60} />
        </RuleField>
        <Form.Item name="enabled" valuePropName="checked">
          <CheckBox>Offered at sign-in</CheckBox>
        </Form.Item>
      </section>
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
          Test
        </Button>
        <UnsavedMark />
      </div>
      {test.data === undefined ? null : <SsoTestResult test={test.data} />}
    </RuleForm>
  );
}
