/** The sections of the single sign-on form: the provider, who may sign in, and the login page. */
import { type FormRule, whenGiven } from '@patch/contract/form-rules/form-rule.ts';
import { isDomain } from '@patch/contract/form-rules/network-rules.ts';
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { isIssuer, issuerRule, type KnownSsoConfig } from '@patch/contract/sso-endpoints.ts';
import { Form, Input, Select } from 'antd';
import { PasswordField } from '../../forms/password-field.tsx';
import { RuleField } from '../../forms/rule-field.tsx';
import { CheckBox } from '../../widgets/check-box.tsx';
import { CopyButton } from '../../widgets/copy-button.tsx';
import styles from './sso-form.module.css';

const issuer: FormRule<string | null | undefined> = whenGiven((value, field) =>
  isIssuer(value.trim()) ? null : `${field} ${issuerRule}`,
);
const scopes: FormRule<string | null | undefined> = whenGiven((value, field) =>
  value.split(/\s+/).includes('openid') ? null : `${field} must contain 'openid'`,
);
const domains: FormRule<readonly string[] | ''> = (value, field) => {
  const invalidDomain = (value || []).find((domain) => !isDomain(domain.trim()));
  return invalidDomain === undefined
    ? null
    : `${field}: '${invalidDomain}' must be a domain, such as example.org`;
};

interface IdentityProviderProps {
  readonly config: KnownSsoConfig | null;
  /** The URL to which the provider sends users back. */
  readonly redirectUri: string;
}

export function IdentityProvider({ config, redirectUri }: IdentityProviderProps) {
  const withoutSecret = Form.useWatch<boolean | undefined>('withoutSecret') ?? false;
  return (
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
  );
}

export function WhoMaySignIn() {
  return (
    <section className={styles['part']} aria-label="Who may sign in">
      <h2>Who may sign in</h2>
      <RuleField
        name="allowedDomains"
        label="Allowed email domains"
        rules={[domains]}
        isChoice
        extra="Domains of verified email addresses. Empty: everyone the identity provider signs in."
      >
        <Select mode="tags" open={false} suffixIcon={null} tokenSeparators={[',', ';', ' ']} />
      </RuleField>
      <Form.Item
        name="linkByEmail"
        valuePropName="checked"
        extra="Applies to administrators as well. Enable it only if you trust the identity provider."
      >
        <CheckBox>Sign users in to the account with the same verified email address</CheckBox>
      </Form.Item>
      <Form.Item name="createUsers" valuePropName="checked">
        <CheckBox>Create a Standard account at the first sign-in</CheckBox>
      </Form.Item>
      <RuleField
        name="nameClaim"
        label="Claim of the user name"
        nameInMessages="Claim"
        rules={[required]}
        extra="The name of a new account."
      >
        <Input spellCheck={false} autoComplete="off" maxLength={100} />
      </RuleField>
    </section>
  );
}

export function OnLoginPage() {
  return (
    <section className={styles['part']} aria-label="On the login page">
      <h2>On the login page</h2>
      <RuleField name="label" label="Sign in with …" nameInMessages="Name" rules={[required]}>
        <Input placeholder="Example Corporation" autoComplete="off" maxLength={60} />
      </RuleField>
      <Form.Item name="enabled" valuePropName="checked">
        <CheckBox>Offered at sign-in</CheckBox>
      </Form.Item>
    </section>
  );
}
