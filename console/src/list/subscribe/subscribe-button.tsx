/** Button for news of the list as a feed, by email or in a channel. */
import { BellOutlined } from '@ant-design/icons-svg';
import { useState } from 'react';
import { Button } from '../../widgets/button.tsx';
import { Icon } from '../../widgets/icon.tsx';
import { lazyAntd } from '../../widgets/lazy-antd.tsx';
import type { ListModel } from '../model/use-list-model.ts';

const SubscribeDialog = lazyAntd(() => import('./subscribe-dialog.tsx'), 'SubscribeDialog');

interface SubscribeButtonProps {
  readonly model: ListModel;
  /** Shows the icon without its word. */
  readonly narrow: boolean;
}

export function SubscribeButton({ model, narrow }: SubscribeButtonProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        look="quiet"
        icon={<Icon of={BellOutlined} />}
        aria-label="Subscribe"
        title="Subscribe"
        onClick={() => setOpen(true)}
      >
        {!narrow && 'Subscribe'}
      </Button>
      {open && <SubscribeDialog model={model} onClose={() => setOpen(false)} />}
    </>
  );
}
