/** Removes a machine with its inventory. Only administrators may do this. */
import { removeMachineEndpoint } from '@patch/contract/fleet/machine-endpoints.ts';
import { useNavigate } from '@tanstack/react-router';
import { callApi } from '../api/call-api.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useMay } from '../api/session.ts';
import { Button } from '../widgets/button.tsx';
import { listPath } from '../widgets/list-paths.ts';
import { useConfirmedAction } from '../widgets/use-confirmed-action.ts';

export function RemoveMachine({ id }: { readonly id: number }) {
  const isAdmin = useMay('admin');
  const navigate = useNavigate();
  const remove = useConfirmedAction({
    question: () => ({
      title: 'Remove this machine?',
      body: 'Its inventory, its missing records and the notes on them are removed. The client may report the machine again.',
      danger: true,
      yes: 'Remove',
    }),
    run: async () => {
      await callApi(removeMachineEndpoint, { params: { id: String(id) } as never });
      await navigate({ to: listPath({ route: 'machines' }) });
    },
    success: () => 'The machine has been removed.',
    invalidates: [queryKeys.lists.all('machines')],
  });
  if (!isAdmin) return null;
  return (
    <Button small danger onClick={() => void remove()}>
      Remove machine
    </Button>
  );
}
