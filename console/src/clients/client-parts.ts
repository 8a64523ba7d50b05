/** What the lists of licensed clients and of their machines have beyond other lists: registering a client, and what is shown over a record. Each is fetched when it is shown. */
import type { ListKey } from '@patch/catalogue/lists.ts';
import type { ComponentType } from 'react';
import { lazyAntd } from '../widgets/lazy-antd.tsx';

interface ListParts {
  /** Beside the list's heading. */
  readonly Heading?: ComponentType;
  /** Over a record's facts. */
  readonly Record: ComponentType<{ readonly id: number }>;
}

const clientParts: ListParts = {
  Heading: lazyAntd(() => import('./register-client.tsx'), 'RegisterClient'),
  Record: lazyAntd(() => import('./client-panel.tsx'), 'ClientPanel'),
};

const machineParts: ListParts = {
  Record: lazyAntd(() => import('../fleet/machine-panel.tsx'), 'MachinePanel'),
};

const parts: Partial<Record<ListKey, ListParts>> = {
  floto_user: clientParts,
  machines: machineParts,
};

export const partsOfList = (key: string): ListParts | undefined => parts[key as ListKey];
