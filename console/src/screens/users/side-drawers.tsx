/** Drawers beside the list of users: a new user, and all API keys. */
import { apiKeysEndpoint, endApiKeyEndpoint } from '@patch/contract/api-key-endpoints.ts';
import type { User } from '@patch/contract/user-endpoints.ts';
import { Drawer } from 'antd';
import type { ReactNode } from 'react';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { toast } from '../../api/toast.ts';
import { useNarrow } from '../../theme/media-query.ts';
import { sizes } from '../../theme/tokens.ts';
import { Button } from '../../widgets/button.tsx';
import { ApiKeyList } from './api-key-list.tsx';
import type { UserDraft } from './use-user-list.ts';
import { UserForm } from './user-form.tsx';

interface DrawerState {
  readonly open: boolean;
  readonly onClose: () => void;
}

interface NewUserDrawerProps extends DrawerState {
  readonly onCreate: (draft: UserDraft) => Promise<User>;
}

export function NewUserDrawer({ onCreate, ...drawer }: NewUserDrawerProps) {
  const { onClose } = drawer;
  return (
    <SideDrawer title="New user" {...drawer}>
      <UserForm
        onSave={async (draft) => {
          const { name, email } = await onCreate(draft);
          onClose();
          toast.success(
            draft.password === undefined
              ? `${name} is created. An invitation is on its way to ${email}.`
              : `${name} is created.`,
          );
        }}
      >
        <Button onClick={onClose}>Cancel</Button>
      </UserForm>
    </SideDrawer>
  );
}

export function AllApiKeysDrawer(drawer: DrawerState) {
  return (
    <SideDrawer title="All API keys" {...drawer}>
      <ApiKeyList
        withOwner
        queryKey={queryKeys.apiKeys.everyone()}
        load={(signal) => callApi(apiKeysEndpoint, { signal })}
        endKey={(id) => callApi(endApiKeyEndpoint, { params: { id: String(id) } })}
      />
    </SideDrawer>
  );
}

interface SideDrawerProps extends DrawerState {
  readonly title: string;
  readonly children: ReactNode;
}

function SideDrawer({ title, open, onClose, children }: SideDrawerProps) {
  const narrow = useNarrow();
  return (
    <Drawer
      title={title}
      open={open}
      onClose={onClose}
      size={narrow ? '100%' : sizes.drawer}
      mask={{ closable: false }}
      destroyOnHidden
    >
      {children}
    </Drawer>
  );
}
