/** Drawers over the first steps: the email configuration, and a new user. */
import { createUserEndpoint } from '@patch/contract/accounts/user-endpoints.ts';
import { useQueryClient } from '@tanstack/react-query';
import { Drawer } from 'antd';
import { callApi } from '../api/call-api.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { StepDrawerProps } from '../screens/dashboard/first-steps.tsx';
import { EmailForm } from '../screens/email-configuration/email-form.tsx';
import { NewUserDrawer } from '../screens/users/user-form.tsx';
import { useNarrow } from '../theme/media-query.ts';
import { sizes } from '../theme/tokens.ts';

/** Shows an empty form, because the step is offered while nothing is configured. */
export function EmailDrawer({ open, onClose }: StepDrawerProps) {
  const narrow = useNarrow();
  return (
    <Drawer
      open={open}
      onClose={onClose}
      size={narrow ? '100%' : sizes.drawer}
      styles={{ wrapper: { minWidth: narrow ? 0 : sizes.drawerLeast } }}
      destroyOnHidden
      title="Set up email"
    >
      <EmailForm config={null} lastTest={null} />
    </Drawer>
  );
}

export function InviteDrawer({ open, onClose }: StepDrawerProps) {
  const queries = useQueryClient();
  return (
    <NewUserDrawer
      open={open}
      onClose={onClose}
      onCreate={async (draft) => {
        const user = await callApi(createUserEndpoint, { body: draft });
        await queries.invalidateQueries({ queryKey: queryKeys.users.page({ size: 1 }) });
        return user;
      }}
    />
  );
}
