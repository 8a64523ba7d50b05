/** Single sign-on with an identity provider: its configuration, who may sign in, the login page, and a test. */

import {
  isIssuer,
  issuerRule,
  type KnownSsoConfig,
  type SsoConfig,
  type SsoStage,
  type SsoTest,
  saveSsoConfigEndpoint,
  ssoConfigEndpoint,
  testSsoConfigEndpoint,
} from '@patch/contract/accounts/sso-endpoints.ts';
import { type FormRule, whenGiven } from '@patch/contract/form-rules/form-rule.ts';
import { isDomain } from '@patch/contract/form-rules/network-rules.ts';
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { apiQuery } from '../../api/api-query.ts';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { CheckField, SelectField, TextField } from '../../resources/form-fields.tsx';
import { Loaded } from '../../resources/loaded.tsx';
import { SecretFields, TestedForm } from '../../resources/tested-form.tsx';
import { colour } from '../../theme/tokens.ts';
import { CopyButton } from '../../widgets/copy-button.tsx';
import { PageHeader } from '../../widgets/page-header.tsx';
import { StageList } from '../../widgets/stage-list.tsx';
import styles from './sso-screen.module.css';

export function SsoScreen() {
  const saved = useQuery({
    ...apiQuery(queryKeys.sso.configuration(), ssoConfigEndpoint),
    // A refetch must not replace the user's input.
    refetchOnWindowFocus: false,
  });
  const status =
    saved.data?.config === null
      ? 'Not configured yet'
      : saved.data?.config.enabled === false
        ? 'Off'
        : undefined;
  return (
    <>
      <PageHeader title="Single sign-on" beside={status} />
      <Loaded query={saved} what="single sign-on configuration" rows={10}>
        {(data) => <SsoForm {...data} />}
      </Loaded>
    </>
  );
}

interface SsoDraft extends Omit<SsoConfig, 'clientSecret'> {
  /** Empty until typed. Empty leaves the saved secret unchanged. */
  readonly clientSecret: string;
  /** A public client has no secret. */
  readonly withoutSecret: boolean;
}

const newDraft: SsoDraft = {
  enabled: true,
  label: '',
  issuer: '',
  clientId: '',
  clientSecret: '',
  withoutSecret: false,
  scopes: 'openid profile email',
  nameClaim: 'preferred_username',
  allowedDomains: [],
  createUsers: false,
  linkByEmail: true,
};

function toSsoDraft(config: KnownSsoConfig | null): SsoDraft {
  if (config === null) return newDraft;
  const { clientSecretSet, ...same } = config;
  return { ...same, clientSecret: '', withoutSecret: !clientSecretSet };
}

const toSsoConfig = ({ withoutSecret, clientSecret, ...same }: SsoDraft): SsoConfig => ({
  ...same,
  ...(withoutSecret ? { clientSecret: '' } : clientSecret === '' ? {} : { clientSecret }),
});

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

interface SsoFormProps {
  readonly config: KnownSsoConfig | null;
  /** The URL to which the provider sends users back. */
  readonly redirectUri: string;
}

/** The saved secret is valid only for the provider that it was entered for. */
const fieldErrors = { secret_needed: 'clientSecret' } as const;

function SsoForm({ config, redirectUri }: SsoFormProps) {
  return (
    <TestedForm<SsoDraft, SsoTest>
      what="single sign-on configuration"
      testLabel="Test"
      initialValues={toSsoDraft(config)}
      className={styles['form'] ?? ''}
      fieldErrors={fieldErrors}
      onSave={async (draft) => {
        const body = toSsoConfig(draft);
        const { message, config: saved } = await callApi(saveSsoConfigEndpoint, { body });
        return { message, saved: toSsoDraft(saved) };
      }}
      onTest={(draft) => callApi(testSsoConfigEndpoint, { body: toSsoConfig(draft) })}
      result={(test) => <SsoTestResult test={test} />}
      invalidates={[queryKeys.sso.configuration()]}
    >
      <IdentityProvider config={config} redirectUri={redirectUri} />
      <WhoMaySignIn />
      <Part title="On the login page">
        <TextField
          name="label"
          label="Sign in with …"
          nameInMessages="Name"
          rules={[required]}
          input={{ placeholder: 'Example Corporation', maxLength: 60 }}
        />
        <CheckField name="enabled">Offered at sign-in</CheckField>
      </Part>
    </TestedForm>
  );
}

interface PartProps {
  readonly title: string;
  readonly children: ReactNode;
}

const Part = ({ title, children }: PartProps) => (
  <section className={styles['part']} aria-label={title}>
    <h2>{title}</h2>
    {children}
  </section>
);

function IdentityProvider({ config, redirectUri }: SsoFormProps) {
  return (
    <Part title="Identity provider">
      <p className={styles['return']}>
        Register this redirect URI there: <code>{redirectUri}</code>{' '}
        <CopyButton text={redirectUri} what="redirect URI" />
      </p>
      <TextField
        name="issuer"
        label="Issuer"
        rules={[required, issuer]}
        extra="Its address, without /.well-known/openid-configuration."
        input={{
          type: 'url',
          placeholder: 'https://login.example.org',
          spellCheck: false,
          maxLength: 500,
        }}
      />
      <TextField
        name="clientId"
        label="Client ID"
        rules={[required]}
        input={{ spellCheck: false, maxLength: 255 }}
      />
      <SecretFields
        name="clientSecret"
        label="Client secret"
        isSet={config?.clientSecretSet === true}
        hint="From the identity provider."
        without={['withoutSecret', 'Public client without a secret']}
      />
      <TextField
        name="scopes"
        label="Scopes"
        rules={[required, scopes]}
        extra="Separated by spaces."
        input={{ spellCheck: false, maxLength: 500 }}
      />
    </Part>
  );
}

function WhoMaySignIn() {
  return (
    <Part title="Who may sign in">
      <SelectField
        name="allowedDomains"
        label="Allowed email domains"
        rules={[domains]}
        extra="Domains of verified email addresses. Empty: everyone the identity provider signs in."
        select={{ mode: 'tags', open: false, suffixIcon: null, tokenSeparators: [',', ';', ' '] }}
      />
      <CheckField
        name="linkByEmail"
        extra="Applies to administrators as well. Enable it only if you trust the identity provider."
      >
        Sign users in to the account with the same verified email address
      </CheckField>
      <CheckField name="createUsers">Create a Standard account at the first sign-in</CheckField>
      <TextField
        name="nameClaim"
        label="Claim of the user name"
        nameInMessages="Claim"
        rules={[required]}
        extra="The name of a new account."
        input={{ spellCheck: false, maxLength: 100 }}
      />
    </Part>
  );
}

const stageLabels: Readonly<Record<SsoStage, string>> = {
  discovery: 'Discovery document',
  abilities: 'Capabilities',
  keys: 'Signing keys',
  client: 'Client',
};

function SsoTestResult({ test }: { readonly test: SsoTest }) {
  return (
    <section className={styles['part']} aria-label="Test" aria-live="polite">
      <strong style={{ color: colour(test.success ? 'success' : 'danger') }}>
        {test.success
          ? 'The configuration works, as far as it can be tested without signing in.'
          : 'This configuration does not work.'}
      </strong>
      <StageList
        stages={test.stages.map(({ stage, ...result }) => ({
          ...result,
          name: stageLabels[stage],
        }))}
      />
    </section>
  );
}
