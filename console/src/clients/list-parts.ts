/** Extra parts of the lists of licensed clients and machines: registration, and panels over a record. Each loads when it is first shown. */
import type { ListKey } from '@patch/catalogue/lists.ts';
import type { ComponentType } from 'react';
import { lazyAntd } from '../widgets/lazy-antd.tsx';

interface ListParts {
  /** Shown beside the heading of the list. */
  readonly Heading?: ComponentType;
  /** Shown above the facts of a record. */
  readonly Record: ComponentType<{ readonly id: number }>;
}

const clientParts: ListParts = {
  Heading: lazyAntd(() => import('./register-client.tsx'), 'RegisterClient'),
  Record: lazyAntd(() => import('./client-panel.tsx'), 'ClientPanel'),
};

const machineParts: ListParts = {
  Record: lazyAntd(() => import('../fleet/machine-panel.tsx'), 'MachinePanel'),
};

const partsByList: Partial<Record<ListKey, ListParts>> = {
  floto_user: clientParts,
  machines: machineParts,
};

export const findListParts = (key: string): ListParts | undefined => partsByList[key as ListKey];
