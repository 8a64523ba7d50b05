/** Actions on the machines of a search: operators plan updates, administrators add machines, save them as a group, change their tags. */
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../api/session.ts';
import { Button } from '../widgets/button.tsx';
import { AddMachines } from './add-machines.tsx';
import { PlanUpdates } from './plan-updates.tsx';
import { SaveAsGroup } from './save-as-group.tsx';
import { TagMachines } from './tag-machines.tsx';

type OpenDialog = 'group' | 'tags' | null;

export function MachineActions() {
  const isAdmin = useMay('admin');
  const { criteria = '', keyword = '' } = useSearch({ strict: false }) as {
    readonly criteria?: string;
    readonly keyword?: string | number;
  };
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const close = () => setDialog(null);
  const mayPlan = useMay('operator');
  if (!mayPlan) return null;
  // Groups, tags and plans take criteria alone: they would have the machines that a keyword leaves out.
  if (keyword !== '')
    return (
      <>
        <span className="text-quiet">
          {isAdmin ? 'Groups, tags and plans need' : 'Plans need'} criteria without a keyword
        </span>
        <AddMachines />
      </>
    );
  return (
    <>
      {isAdmin && (
        <>
          <Button onClick={() => setDialog('group')}>Save as group</Button>
          <Button onClick={() => setDialog('tags')}>Tags</Button>
        </>
      )}
      <PlanUpdates criteria={criteria} />
      <AddMachines />
      <SaveAsGroup open={dialog === 'group'} criteria={criteria} onClose={close} />
      <TagMachines open={dialog === 'tags'} machines={{ criteria }} onClose={close} />
    </>
  );
}
