/** API keys with scopes, last use and a button to revoke each, and the dialog that creates one and shows it once. */
import {
  type ApiKey,
  apiKeysEndpoint,
  combinableScopes,
  createApiKeyEndpoint,
  endApiKeyEndpoint,
  endOwnApiKeyEndpoint,
  ownApiKeysEndpoint,
  scopesOfUserType,
} from '@patch/contract/accounts/api-key-endpoints.ts';
import { keyLifeProblem, maxKeyLifeMs } from '@patch/contract/accounts/api-key-life.ts';
import { type ApiKeyScope } from '@patch/contract/base/endpoint.ts';
import type { UserType } from '@patch/contract/base/user-types.ts';
import { dateRequired, required } from '@patch/contract/form-rules/required-rules.ts';
import { shortText } from '@patch/contract/form-rules/text-rules.ts';
import { type QueryKey, useQuery } from '@tanstack/react-query';
import { Modal } from 'antd';
import { useState } from 'react';
import type { z } from 'zod';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { RuleField } from '../../forms/rule-field.tsx';
import { RuleForm } from '../../forms/rule-form.tsx';
import { ChoicesField, FormButtons, TextField } from '../../resources/form-fields.tsx';
import { ResourceList, RowButton } from '../../resources/resource-list.tsx';
import { ZonedDatePicker } from '../../values/zoned-date-picker.tsx';
import { Button } from '../../widgets/button.tsx';
import rows from '../../widgets/row-list.module.css';
import { SecretOnce } from '../../widgets/secret-once.tsx';
import { useNow } from '../../widgets/ticking-clock.ts';
import { ExactTime, TimeAgo } from '../../widgets/time-ago.tsx';
import { useConfirmedAction } from '../../widgets/use-confirmed-action.ts';
import styles from './users.module.css';

interface ApiKeyListProps {
  /** The id of their owner, otherwise the current user's keys or all. */
  readonly of: 'own' | 'everyone' | number;
}

const toQueryKey = (of: ApiKeyListProps['of']): QueryKey =>
  of === 'own' || of === 'everyone' ? queryKeys.apiKeys[of]() : queryKeys.apiKeys.user(of);

export function ApiKeyList({ of }: ApiKeyListProps) {
  const isEveryone = of === 'everyone';
  const queryKey = toQueryKey(of);
  const keys = useQuery({
    queryKey,
    async queryFn({ signal }) {
      const query = typeof of === 'number' ? { user: String(of) } : {};
      const reply =
        of === 'own'
          ? callApi(ownApiKeysEndpoint, { signal })
          : callApi(apiKeysEndpoint, { query, signal });
      return (await reply).objList;
    },
  });
  const revoke = useConfirmedAction({
    question: ({ name, ownerName }: ApiKey) => ({
      title: `Revoke the API key ${name}${isEveryone ? ` of ${ownerName}` : ''}?`,
      body: 'Programs that use it lose access immediately.',
      danger: true,
      yes: 'Revoke',
    }),
    run: ({ id }) =>
      callApi(of === 'own' ? endOwnApiKeyEndpoint : endApiKeyEndpoint, {
        params: { id: String(id) },
      }),
    success: ({ name }) => `API key '${name}' revoked.`,
    invalidates: [queryKey],
  });
  return (
    <ResourceList
      query={keys}
      what="API keys"
      label="API keys"
      empty="No API keys."
      action={(key) => (
        <RowButton
          label="Revoke"
          object={`the API key ${key.name}`}
          onClick={() => void revoke(key)}
        />
      )}
    >
      {({ name, prefix, ownerName, scopes, createdAt, lastUsedAt, expiresAt, enrolment }) => (
        <>
          <strong>{name}</strong> <code>{prefix}…</code>{' '}
          {isEveryone ? <span className={rows['quiet']}>{ownerName}</span> : null}
          <p className={rows['scopes']}>{scopes.join(', ')}</p>
          {enrolment === null ? null : (
            <p className={rows['quiet']}>
              group {enrolment.group} · machines: {enrolment.machines} · reports:{' '}
              {enrolment.reports}
            </p>
          )}
          <p className={rows['quiet']}>
            created <TimeAgo value={createdAt} /> ·{' '}
            {lastUsedAt === null ? (
              'not used yet'
            ) : (
              <>
                used <TimeAgo value={lastUsedAt} />
              </>
            )}{' '}
            · <Expiry at={expiresAt} />
          </p>
        </>
      )}
    </ResourceList>
  );
}

function Expiry({ at }: { readonly at: number | null }) {
  const now = useNow();
  if (at === null) return <>never expires</>;
  if (at <= now)
    return (
      <span className={rows['late']}>
        expired <TimeAgo value={at} />
      </span>
    );
  return (
    <>
      expires <ExactTime value={at} />
    </>
  );
}

type KeyInput = z.input<typeof createApiKeyEndpoint.body>;

const scopeLabels: Readonly<Record<ApiKeyScope, string>> = {
  read: 'read – lists, records and runs',
  sync: 'sync – start and cancel syncs',
  clients: 'clients – manage the licensed clients',
  manage: 'manage – administer everything else except accounts',
  backup: 'backup – with manage: database dumps, which contain all password hashes',
  assess: 'assess – check which patches a machine lacks',
  formats: 'formats – read the catalogue as OSV and CSAF',
  events: 'events – read events',
  report: 'report – report the machine that has the key',
};

const fieldErrors = {
  name_taken: 'name',
  scope_not_allowed: 'scopes',
  expired_already: 'expiresAt',
  expires_too_late: 'expiresAt',
} as const;

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

  async function create(body: KeyInput): Promise<void> {
    const { key } = await callApi(createApiKeyEndpoint, { body });
    setCreated({ name: body.name, key });
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
          <TextField
            name="name"
            label="Name"
            rules={[required, shortText]}
            extra="The program that uses it."
            input={{ maxLength: 200 }}
          />
          <ChoicesField
            name="scopes"
            label="Scopes"
            rules={[required]}
            choices={combinableScopes
              .filter((scope) => scopesOfUserType[userType].includes(scope))
              .map((scope) => [scope, scopeLabels[scope]])}
          />
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
          <FormButtons submit="Create key" onCancel={onClose} />
        </RuleForm>
      ) : (
        <>
          <SecretOnce
            secret={created.key}
            what="API key"
            title="Copy it now: it is not shown again."
          />
          <p className={styles['quiet']}>
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
