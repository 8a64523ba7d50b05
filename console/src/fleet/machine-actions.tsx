/** What administrators do with the machines of a search: add some, save them as a group, change their tags. */
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '../api/session.ts';
import { Button } from '../widgets/button.tsx';
import { AddMachines } from './add-machines.tsx';
import { PlanUpdates } from './plan-updates.tsx';
import { SaveAsGroup } from './save-as-group.tsx';
import { TagMachines } from './tag-machines.tsx';

type OpenDialog = 'group' | 'tags' | null;

export function MachineActions() {
  const isAdmin = useSession().user?.userType === 'Admin';
  const { criteria = '' } = useSearch({ strict: false }) as { readonly criteria?: string };
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const close = () => setDialog(null);
  if (!isAdmin) return null;
  return (
    <>
      <Button onClick={() => setDialog('group')}>Save as group</Button>
      <Button onClick={() => setDialog('tags')}>Tags</Button>
      <PlanUpdates criteria={criteria} />
      <AddMachines />
      <SaveAsGroup open={dialog === 'group'} criteria={criteria} onClose={close} />
      <TagMachines open={dialog === 'tags'} machines={{ criteria }} onClose={close} />
    </>
  );
}
