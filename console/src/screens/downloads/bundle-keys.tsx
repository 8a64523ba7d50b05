/** This installation's public key for its bundles, and the trusted keys of other installations. */

import type { FormRule } from '@patch/contract/form-rules/form-rule.ts';
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { shortText } from '@patch/contract/form-rules/text-rules.ts';
import {
  type BundleKey,
  bundleKeysEndpoint,
  distrustBundleKeyEndpoint,
  NewBundleKey,
  trustBundleKeyEndpoint,
} from '@patch/contract/operations/bundle-endpoints.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Form, Input } from 'antd';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { toast } from '../../api/toast.ts';
import { RuleField } from '../../forms/rule-field.tsx';
import { RuleForm } from '../../forms/rule-form.tsx';
import { SubmitButton } from '../../forms/submit-button.tsx';
import { Button } from '../../widgets/button.tsx';
import { CopyButton } from '../../widgets/copy-button.tsx';
import { TimeAgo } from '../../widgets/time-ago.tsx';
import { useConfirmedAction } from '../../widgets/use-confirmed-action.ts';
import styles from './job-rows.module.css';

interface KeyDraft {
  readonly name: string;
  readonly publicKey: string;
}

const isKey: FormRule<string | null | undefined> = (value) => {
  const parsed = NewBundleKey.shape.publicKey.safeParse(value ?? '');
  return parsed.success ? null : `It ${parsed.error.issues[0]?.message ?? 'is not a key'}`;
};

export function BundleKeys() {
  const keys = useQuery({
    queryKey: queryKeys.downloads.bundleKeys(),
    queryFn: ({ signal }) => callApi(bundleKeysEndpoint, { signal }),
  });
  if (keys.data === undefined)
    return <p className="mt-1 text-quiet">{keys.error?.message ?? ''}</p>;
  const { own, objList } = keys.data;
  return (
    <>
      <p className="mt-1">
        The public key of this installation:{' '}
        <span className="break-anywhere text-small font-mono">{own.publicKey}</span>{' '}
        <CopyButton text={own.publicKey} what="public key" />
      </p>
      <p className="mt-1 text-quiet">
        Give this key to anyone importing your bundles; verify it through a separate channel.
      </p>
      <TrustedKeys trusted={objList} />
      <TrustForm />
    </>
  );
}

function TrustedKeys({ trusted }: { readonly trusted: readonly BundleKey[] }) {
  const distrust = useConfirmedAction({
    question: ({ name, fingerprint }: BundleKey) => ({
      danger: true,
      title: `Stop trusting ${name}?`,
      body: `Its bundles will be refused (key ${fingerprint}). Imported records stay.`,
      yes: 'Stop trusting',
    }),
    run: ({ fingerprint }) => callApi(distrustBundleKeyEndpoint, { params: { fingerprint } }),
    success: ({ name }) => `Bundles from ${name} are no longer trusted.`,
    invalidates: [queryKeys.downloads.bundleKeys()],
  });
  return (
    <ul className="plain-list text-dense" aria-label="Trusted keys">
      {trusted.map((key) => (
        <li key={key.fingerprint} className="py-3 border-t break-anywhere">
          <div className="flex flex-wrap items-center gap-y-1 gap-x-3">
            <strong>{key.name}</strong>
            <span className="text-small font-mono">{key.fingerprint}</span>
            <span className="mt-1 text-quiet">
              {key.addedBy}, <TimeAgo value={key.addedAt} />
            </span>
            <Button small look="quiet" onClick={() => void distrust(key)}>
              Stop trusting<span className="visually-hidden"> {key.name}</span>
            </Button>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Adds the key of another installation, so that its bundles are accepted. */
function TrustForm() {
  const queries = useQueryClient();
  const [form] = Form.useForm<KeyDraft>();
  return (
    <RuleForm<KeyDraft>
      form={form}
      className={styles['form'] ?? ''}
      initialValues={{ name: '', publicKey: '' }}
      fieldErrors={{ key_known: 'publicKey', own_key: 'publicKey' }}
      onSubmit={async (body) => {
        await callApi(trustBundleKeyEndpoint, { body });
        toast.success(`Bundles from ${body.name.trim()} are now trusted.`);
        form.resetFields();
        await queries.invalidateQueries({ queryKey: queryKeys.downloads.bundleKeys() });
      }}
    >
      <RuleField
        name="name"
        label="Name of the other installation"
        rules={[required as FormRule<never>, shortText as FormRule<never>]}
      >
        <Input maxLength={200} />
      </RuleField>
      <RuleField
        name="publicKey"
        label="Its public key"
        rules={[required as FormRule<never>, isKey as FormRule<never>]}
      >
        <Input spellCheck={false} autoComplete="off" maxLength={100} />
      </RuleField>
      <SubmitButton whenChanged>Trust this key</SubmitButton>
    </RuleForm>
  );
}
