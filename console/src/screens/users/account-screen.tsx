/** The user's own account: picture, name, time zone, sessions and API keys. */
import { PlusOutlined } from '@ant-design/icons-svg';
import {
  endOwnSessionEndpoint,
  endOwnSessionsEndpoint,
  ownSessionsEndpoint,
} from '@patch/contract/accounts/session-endpoints.ts';
import { meEndpoint, type SignedInUser } from '@patch/contract/accounts/sign-in-endpoints.ts';
import { changeOwnProfileEndpoint } from '@patch/contract/accounts/user-endpoints.ts';
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { shortText } from '@patch/contract/form-rules/text-rules.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { refreshUser, timeZone, useSession } from '../../api/session.ts';
import { toast } from '../../api/toast.ts';
import { RuleForm } from '../../forms/rule-form.tsx';
import { SubmitButton } from '../../forms/submit-button.tsx';
import { TextField } from '../../resources/form-fields.tsx';
import { Button } from '../../widgets/button.tsx';
import { Icon } from '../../widgets/icon.tsx';
import { PageHeader } from '../../widgets/page-header.tsx';
import { ApiKeyList, NewApiKey } from './api-keys.tsx';
import { AvatarField } from './avatar-field.tsx';
import { OpenSessionList } from './open-session-list.tsx';
import { TimeZoneField, withoutAtSign } from './user-form.tsx';
import styles from './users.module.css';

export interface AccountPart {
  readonly title: string;
  readonly content: ReactNode;
}

/** The shell passes `parts` of other screens, because a screen imports no other. */
export function AccountScreen({ parts = [] }: { readonly parts?: readonly AccountPart[] }) {
  const { user } = useSession();
  const queries = useQueryClient();
  const [isCreating, setIsCreating] = useState(false);
  if (user === null) return null;
  return (
    <>
      <PageHeader title="My account" beside={`${user.userType} · ${timeZone()}`} />
      <div className={styles['parts']}>
        <AccountSection title={user.name}>
          <p className={styles['quiet']}>
            {user.email === '' ? 'No email address set.' : user.email}
          </p>
          <AvatarField
            name={user.name}
            avatar={user.avatar ?? null}
            onSaved={async () => refreshUser(await callApi(meEndpoint))}
          />
          <OwnProfileForm user={user} />
        </AccountSection>
        {parts.map(({ title, content }) => (
          <AccountSection key={title} title={title}>
            {content}
          </AccountSection>
        ))}
        <AccountSection title="Active sessions">
          <OpenSessionList
            owner="your"
            queryKey={queryKeys.sessions.own()}
            load={(signal) => callApi(ownSessionsEndpoint, { signal })}
            endOne={(id) => callApi(endOwnSessionEndpoint, { params: { sessionId: String(id) } })}
            endAll={() => callApi(endOwnSessionsEndpoint)}
          />
        </AccountSection>
        <AccountSection
          title="API keys"
          action={
            <Button small icon={<Icon of={PlusOutlined} />} onClick={() => setIsCreating(true)}>
              New key
            </Button>
          }
        >
          <p className={styles['quiet']}>
            For programs that act on your behalf. A key is limited to its scopes and to your own
            permissions.
          </p>
          <ApiKeyList of="own" />
        </AccountSection>
      </div>
      <NewApiKey
        open={isCreating}
        userType={user.userType}
        onCreated={() => void queries.invalidateQueries({ queryKey: queryKeys.apiKeys.own() })}
        onClose={() => setIsCreating(false)}
      />
    </>
  );
}

interface AccountSectionProps {
  readonly title: string;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

function AccountSection({ title, action, children }: AccountSectionProps) {
  const heading = useId();
  return (
    <section className={styles['part']} aria-labelledby={heading}>
      <div className={styles['head']}>
        <h2 id={heading}>{title}</h2>
        {action}
      </div>
      {children}
    </section>
  );
}

/** The field names become element ids. They differ from those of the form for a new API key. */
interface ProfileInput {
  readonly userName: string;
  readonly timezone?: string | null;
}

function OwnProfileForm({ user }: { readonly user: SignedInUser }) {
  async function save({ userName: name, timezone = null }: ProfileInput): Promise<void> {
    const { message } = await callApi(changeOwnProfileEndpoint, { body: { name, timezone } });
    refreshUser(await callApi(meEndpoint));
    toast.success(message);
  }
  return (
    <RuleForm<ProfileInput>
      initialValues={{ userName: user.name, timezone: user.timezone }}
      unsaved={{ message: 'Your changes to your profile are not saved.' }}
      onSubmit={save}
      fieldErrors={{ name_taken: 'userName' }}
    >
      <TextField
        name="userName"
        label="User name"
        rules={[required, shortText, withoutAtSign]}
        input={{ autoComplete: 'username', spellCheck: false, maxLength: 200 }}
      />
      <TimeZoneField />
      <SubmitButton whenChanged>Save</SubmitButton>
    </RuleForm>
  );
}
