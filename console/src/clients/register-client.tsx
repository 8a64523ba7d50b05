/** Registers a client: the button beside the list's heading, its form, and the resulting activation code. */

import { PlusOutlined } from '@ant-design/icons-svg';
import {
  type ClientEntry,
  createClientEndpoint,
} from '@patch/contract/licensed-client-endpoints.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { callApi } from '../api/call-api.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useSession } from '../api/session.ts';
import { toast } from '../api/toast.ts';
import { Button } from '../widgets/button.tsx';
import { Icon } from '../widgets/icon.tsx';
import { ClientDrawer } from './client-drawer.tsx';

export function RegisterClient() {
  const isAdmin = useSession().user?.userType === 'Admin';
  const [open, setOpen] = useState(false);
  const queries = useQueryClient();
  const navigate = useNavigate();
  if (!isAdmin) return null;

  async function register(entry: ClientEntry): Promise<void> {
    const created = await callApi(createClientEndpoint, { body: entry });
    setOpen(false);
    toast.notice(
      `${created.clientName} is registered`,
      'The activation code is in the client’s record. Enter it on the client.',
    );
    await queries.invalidateQueries({ queryKey: queryKeys.clients.all() });
    // The record shows the code, which is needed next.
    await navigate({
      to: '.',
      search: ((search: object) => ({ ...search, open: created.id })) as never,
    });
  }
  return (
    <>
      <Button look="primary" icon={<Icon of={PlusOutlined} />} onClick={() => setOpen(true)}>
        Register a client
      </Button>
      <ClientDrawer
        title="Register a client"
        open={open}
        submit="Register"
        onSubmit={register}
        onClose={() => setOpen(false)}
      />
    </>
  );
}
