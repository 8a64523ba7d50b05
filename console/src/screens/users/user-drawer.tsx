/** A user in a drawer over the list: picture, profile, sessions, API keys and removal. */
import {
  endUserSessionEndpoint,
  endUserSessionsEndpoint,
  userSessionsEndpoint,
} from '@patch/contract/accounts/session-endpoints.ts';
import { removeUserTwoFactorEndpoint } from '@patch/contract/accounts/two-factor-endpoints.ts';
import {
  type changeUserEndpoint,
  inviteUserEndpoint,
  type User,
} from '@patch/contract/accounts/user-endpoints.ts';
import { useMutation } from '@tanstack/react-query';
import { Tabs } from 'antd';
import type { z } from 'zod';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { toast } from '../../api/toast.ts';
import { useMailConfigured } from '../../api/use-mail-configured.ts';
import { findChanges } from '../../forms/form-changes.ts';
import { SideDrawer, useLastShown } from '../../resources/side-drawer.tsx';
import { Button } from '../../widgets/button.tsx';
import { PersonAvatar } from '../../widgets/person-avatar.tsx';
import { useConfirmedAction } from '../../widgets/use-confirmed-action.ts';
import { ApiKeyList } from './api-keys.tsx';
import { AvatarField } from './avatar-field.tsx';
import { OpenSessionList } from './open-session-list.tsx';
import { UserForm } from './user-form.tsx';
import styles from './users.module.css';
import { type UserTab, userTabs } from './users-search.ts';

/** Absent fields stay unchanged. */
export type UserChanges = z.input<typeof changeUserEndpoint.body>;

interface UserDrawerProps {
  /** The drawer is closed while this is null. */
  readonly user: User | null;
  readonly isSelf: boolean;
  readonly tab: UserTab;
  readonly onTab: (tab: UserTab) => void;
  readonly onSave: (changes: UserChanges, id: number) => Promise<User>;
  /** Receives the changed user when the picture has changed. */
  readonly onChanged: (user: User) => Promise<void>;
  readonly onRemove: (id: number) => Promise<void>;
  readonly onClose: () => void;
}

export function UserDrawer(props: UserDrawerProps) {
  const { user, tab, onTab, onClose } = props;
  const shown = useLastShown(user);
  return (
    <SideDrawer
      open={user !== null}
      onClose={onClose}
      title={
        shown === null ? null : (
          <span className={styles['title']}>
            <PersonAvatar name={shown.name} avatar={shown.avatar} /> {shown.name}
          </span>
        )
      }
    >
      {shown === null ? null : (
        <Tabs
          key={shown.id}
          activeKey={tab}
          onChange={(key) => onTab(userTabs.find((tabName) => tabName === key) ?? 'profile')}
          items={[
            { key: 'profile', label: 'Profile', children: <Profile {...props} user={shown} /> },
            {
              key: 'sessions',
              label: 'Sessions',
              children: <Sessions user={shown} isSelf={props.isSelf} />,
            },
            { key: 'keys', label: 'API keys', children: <ApiKeyList of={shown.id} /> },
          ]}
        />
      )}
    </SideDrawer>
  );
}

function Profile({
  user,
  isSelf,
  onSave,
  onChanged,
  onRemove,
}: UserDrawerProps & { readonly user: User }) {
  const params = { id: String(user.id) };
  const mail = useMailConfigured();
  const invite = useMutation({
    mutationFn: () => callApi(inviteUserEndpoint, { params }),
    onSuccess: ({ message }) => toast.success(message),
  });
  const remove = useConfirmedAction({
    question: () => ({
      title: `Remove ${user.name}?`,
      body: 'Their sessions, API keys, preferences and saved views go with them. This cannot be undone.',
      danger: true,
      yes: 'Remove',
    }),
    run: () => onRemove(user.id),
    success: () => `${user.name} has been removed.`,
  });
  const disableSecondFactor = useConfirmedAction({
    question: () => ({
      title: `Disable ${user.name}’s second factor?`,
      body: 'For users who have lost their phone and backup codes. Verify their identity first: they can then sign in with their password alone.',
      danger: true,
      yes: 'Disable',
    }),
    run: async () => {
      await callApi(removeUserTwoFactorEndpoint, { params });
      await onChanged({ ...user, twoFactor: false });
    },
    success: () => `Second factor of ${user.name} disabled.`,
  });
  return (
    <>
      <AvatarField
        name={user.name}
        avatar={user.avatar}
        userId={user.id}
        onSaved={(avatar) => onChanged({ ...user, avatar })}
      />
      <UserForm
        user={user}
        isSelf={isSelf}
        onSave={(draft, saved) => onSave(findChanges(saved, draft), user.id)}
      >
        {user.mustChangePassword && user.email !== '' && mail === 'configured' ? (
          <Button loading={invite.isPending} onClick={() => invite.mutate()}>
            Send an invitation
          </Button>
        ) : null}
        {user.twoFactor && !isSelf ? (
          <Button onClick={() => void disableSecondFactor()}>Disable second factor</Button>
        ) : null}
        {user.canDelete ? (
          <Button danger onClick={() => void remove()}>
            Remove user
          </Button>
        ) : null}
      </UserForm>
    </>
  );
}

function Sessions({
  user: { id, name },
  isSelf,
}: Pick<UserDrawerProps, 'isSelf'> & { readonly user: User }) {
  const params = { id: String(id) };
  return (
    <OpenSessionList
      owner={isSelf ? 'your' : `${name}’s`}
      queryKey={queryKeys.sessions.user(id)}
      load={(signal) => callApi(userSessionsEndpoint, { params, signal })}
      endOne={(session) =>
        callApi(endUserSessionEndpoint, { params: { ...params, sessionId: String(session) } })
      }
      endAll={() => callApi(endUserSessionsEndpoint, { params })}
    />
  );
}
