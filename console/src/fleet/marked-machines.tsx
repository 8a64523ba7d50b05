/** The action of administrators on marked machines: changes their tags. */
import { useState } from 'react';
import { useMay } from '../api/session.ts';
import { Button } from '../widgets/button.tsx';
import { TagMachines } from './tag-machines.tsx';

export function MarkedMachines({ ids }: { readonly ids: readonly number[] }) {
  const isAdmin = useMay('admin');
  const [open, setOpen] = useState(false);
  if (!isAdmin) return null;
  return (
    <>
      <Button small onClick={() => setOpen(true)}>
        Tags
      </Button>
      <TagMachines open={open} machines={ids} onClose={() => setOpen(false)} />
    </>
  );
}
