/** Creates an API key and shows it once. */
import { createApiKeyEndpoint, scopesOfUserType } from '@patch/contract/api-key-endpoints.ts';
import { keyLifeProblem, maxKeyLifeMs } from '@patch/contract/api-key-life.ts';
import { type ApiKeyScope } from '@patch/contract/endpoint.ts';
import { dateRequired, required } from '@patch/contract/form-rules/required-rules.ts';
import { shortText } from '@patch/contract/form-rules/text-rules.ts';
import type { UserType } from '@patch/contract/sign-in-endpoints.ts';
import { Input, Modal } from 'antd';
import { useState } from 'react';
import { callApi } from '../../api/call-api.ts';
import { RuleField } from '../../forms/rule-field.tsx';
import { RuleForm } from '../../forms/rule-form.tsx';
import { SubmitButton } from '../../forms/submit-button.tsx';
import { ZonedDatePicker } from '../../values/zoned-date-picker.tsx';
import { Button } from '../../widgets/button.tsx';
import { CheckBox } from '../../widgets/check-box.tsx';
import { SecretOnce } from '../../widgets/secret-once.tsx';
import styles from './new-api-key.module.css';

interface KeyInput {
  readonly name: string;
  readonly scopes: ApiKeyScope[];
  readonly expiresAt: number;
}

const scopeLabels: Readonly<Record<ApiKeyScope, string>> = {
  read: 'read – lists, records and runs',
  sync: 'sync – start and cancel syncs',
  clients: 'clients – manage the licensed clients',
  manage: 'manage – administer everything else except accounts',
  backup: 'backup – with manage: database dumps, which contain all password hashes',
  assess: 'assess – check which patches a machine lacks',
  formats: 'formats – read the catalogue as OSV and CSAF',
  events: 'events – read events',
};

const dayMs = 86_400_000;

const expiryRule = (expiresAt: number) => keyLifeProblem(expiresAt, Date.now())?.words ?? null;

interface NewApiKeyProps {
  readonly open: boolean;
  readonly userType: UserType;
  readonly onCreated: () => void;
  readonly onClose: () => void;
}

export function NewApiKey({ open, userType, onCreated, onClose }: NewApiKeyProps) {
  const [created, setCreated] = useState<{ readonly name: string; readonly key: string }>();
  const [today] = useState(() => Date.now());

  async function create({ name, scopes, expiresAt }: KeyInput): Promise<void> {
    const { key } = await callApi(createApiKeyEndpoint, { body: { name, scopes, expiresAt } });
    setCreated({ name, key });
    onCreated();
  }

  return (
    <Modal
      open={open}
      title={created === undefined ? 'New API key' : `The API key ${created.name}`}
      mask={{ closable: false }}
      footer={null}
      onCancel={onClose}
      afterClose={() => setCreated(undefined)}
      destroyOnHidden
    >
      {created === undefined ? (
        <RuleForm<KeyInput>
          initialValues={{ scopes: ['read'], expiresAt: today + 90 * dayMs }}
          onSubmit={create}
          fieldErrors={fieldErrors}
        >
          <RuleField
            name="name"
            label="Name"
            rules={[required, shortText]}
            extra="The program that uses it."
          >
            <Input autoComplete="off" maxLength={200} />
          </RuleField>
          <RuleField name="scopes" label="Scopes" rules={[required]} isChoice>
            <ScopeBoxes scopes={scopesOfUserType[userType]} />
          </RuleField>
          <RuleField
            name="expiresAt"
            label="Expires"
            nameInMessages="The expiry date"
            rules={[dateRequired, expiryRule]}
            isChoice
            extra="At most one year from now."
          >
            <ZonedDatePicker min={today} max={today + maxKeyLifeMs} />
          </RuleField>
          <div className={styles['buttons']}>
            <SubmitButton>Create key</SubmitButton>
            <Button onClick={onClose}>Cancel</Button>
          </div>
        </RuleForm>
      ) : (
        <>
          <SecretOnce
            secret={created.key}
            what="API key"
            title="Copy it now: it is not shown again."
          />
          <p className={styles['hint']}>
            Send it with every request:{' '}
            <code>Authorization: Apikey {created.key.slice(0, 7)}…</code>
          </p>
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </>
      )}
    </Modal>
  );
}

const fieldErrors = {
  name_taken: 'name',
  scope_not_allowed: 'scopes',
  expired_already: 'expiresAt',
  expires_too_late: 'expiresAt',
} as const;

interface ScopeBoxesProps {
  readonly id?: string;
  /** The available scopes. */
  readonly scopes: readonly ApiKeyScope[];
  readonly value?: readonly ApiKeyScope[];
  readonly onChange?: (scopes: readonly ApiKeyScope[]) => void;
}

function ScopeBoxes({ id, scopes, value = [], onChange }: ScopeBoxesProps) {
  return (
    <div id={id} role="group" aria-label="Scopes" className={styles['scopes']}>
      {scopes.map((scope) => (
        <CheckBox
          key={scope}
          checked={value.includes(scope)}
          onChange={(checked) =>
            onChange?.(
              scopes.filter((existing) =>
                existing === scope ? checked : value.includes(existing),
              ),
            )
          }
        >
          {scopeLabels[scope]}
        </CheckBox>
      ))}
    </div>
  );
}
