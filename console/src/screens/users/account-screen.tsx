/** The user's own account: picture, sessions and API keys. */

import { PlusOutlined } from '@ant-design/icons-svg';
import { endOwnApiKeyEndpoint, ownApiKeysEndpoint } from '@patch/contract/api-key-endpoints.ts';
import {
  endOwnSessionEndpoint,
  endOwnSessionsEndpoint,
  ownSessionsEndpoint,
} from '@patch/contract/session-endpoints.ts';
import { meEndpoint } from '@patch/contract/sign-in-endpoints.ts';
import { removeOwnAvatarEndpoint, setOwnAvatarEndpoint } from '@patch/contract/user-endpoints.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { refreshUser, timeZone, useSession } from '../../api/session.ts';
import { Button } from '../../widgets/button.tsx';
import { Icon } from '../../widgets/icon.tsx';
import { PageHeader } from '../../widgets/page-header.tsx';
import styles from './account-screen.module.css';
import { ApiKeyList } from './api-key-list.tsx';
import { AvatarField } from './avatar-field.tsx';
import { NewApiKey } from './new-api-key.tsx';
import { OpenSessionList } from './open-session-list.tsx';
import { OwnProfileForm } from './own-profile-form.tsx';

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
  const applyPicture = async (picture: Promise<{ avatar: string | null }>) => {
    const { avatar } = await picture;
    refreshUser(await callApi(meEndpoint));
    return avatar;
  };
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
            onUpload={(file) => applyPicture(callApi(setOwnAvatarEndpoint, { file }))}
            onRemove={() => applyPicture(callApi(removeOwnAvatarEndpoint))}
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
          <ApiKeyList
            queryKey={queryKeys.apiKeys.own()}
            load={(signal) => callApi(ownApiKeysEndpoint, { signal })}
            endKey={(id) => callApi(endOwnApiKeyEndpoint, { params: { id: String(id) } })}
          />
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
