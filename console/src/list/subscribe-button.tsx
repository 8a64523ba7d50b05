/** Button for news of the list as a feed, by mail or to a channel. */
import { useState } from 'react';
import { Button } from '../widgets/button.tsx';
import { lazyAntd } from '../widgets/lazy-antd.tsx';
import type { ListModel } from './use-list-model.ts';

const SubscribeDialog = lazyAntd(() => import('./subscribe-dialog.tsx'), 'SubscribeDialog');

export function SubscribeButton({ model }: { readonly model: ListModel }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)}>
        Subscribe
      </Button>
      {open && <SubscribeDialog model={model} onClose={() => setOpen(false)} />}
    </>
  );
}
