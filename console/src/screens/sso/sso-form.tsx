/** The form of single sign-on. The server never returns the client secret; an empty field leaves it unchanged. */

import { formInvalid, formInvalidTitle } from '@patch/contract/form-rules/form-rule.ts';
import {
  type KnownSsoConfig,
  saveSsoConfigEndpoint,
  testSsoConfigEndpoint,
} from '@patch/contract/sso-endpoints.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Form } from 'antd';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { toast } from '../../api/toast.ts';
import { RuleForm } from '../../forms/rule-form.tsx';
import { SubmitButton } from '../../forms/submit-button.tsx';
import { UnsavedMark } from '../../forms/unsaved-mark.tsx';
import { Button } from '../../widgets/button.tsx';
import { type SsoDraft, toSsoConfig, toSsoDraft } from './sso-draft.ts';
import styles from './sso-form.module.css';
import { IdentityProvider, OnLoginPage, WhoMaySignIn } from './sso-sections.tsx';
import { SsoTestResult } from './sso-test-result.tsx';

interface SsoFormProps {
  readonly config: KnownSsoConfig | null;
  readonly redirectUri: string;
}

/** The saved secret is valid only for the provider that it was entered for. */
const fieldErrors = { secret_needed: 'clientSecret' } as const;

export function SsoForm({ config, redirectUri }: SsoFormProps) {
  const [form] = Form.useForm<SsoDraft>();
  const queries = useQueryClient();
  const test = useMutation({
    mutationFn: (draft: SsoDraft) => callApi(testSsoConfigEndpoint, { body: toSsoConfig(draft) }),
  });

  async function save(draft: SsoDraft): Promise<void> {
    const { message, config: saved } = await callApi(saveSsoConfigEndpoint, {
      body: toSsoConfig(draft),
    });
    toast.success(message);
    form.setFieldsValue(toSsoDraft(saved));
    await queries.invalidateQueries({ queryKey: queryKeys.sso.configuration() });
  }

  return (
    <RuleForm<SsoDraft>
      form={form}
      initialValues={toSsoDraft(config)}
      unsaved={{ message: 'Your changes to the single sign-on configuration are not saved.' }}
      onSubmit={save}
      fieldErrors={fieldErrors}
      className={styles['form'] ?? ''}
    >
      <IdentityProvider config={config} redirectUri={redirectUri} />
      <WhoMaySignIn />
      <OnLoginPage />
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
