/** Extra parts of single lists: registration of clients and machines, counts of exploited CVEs, panels over a record. Each loads when it is first shown. */
import type { ListKey } from '@patch/catalogue/lists.ts';
import type { ComponentType } from 'react';
import { lazyAntd } from '../widgets/lazy-antd.tsx';

const inFlow = { wheel: true };

interface ListParts {
  /** Shown beside the heading of the list. */
  readonly Heading?: ComponentType;
  /** Shown beside the number of marked rows. */
  readonly Marked?: ComponentType<{ readonly ids: readonly number[] }>;
  /** Shown above the facts of a record. */
  readonly Record?: ComponentType<{ readonly id: number }>;
}

const clientParts: ListParts = {
  Heading: lazyAntd(() => import('./client-drawer.tsx'), 'RegisterClient', inFlow),
  Record: lazyAntd(() => import('./client-panel.tsx'), 'ClientPanel', inFlow),
};

const machineParts: ListParts = {
  Heading: lazyAntd(() => import('../fleet/machine-actions.tsx'), 'MachineActions', inFlow),
  Marked: lazyAntd(() => import('../fleet/marked-machines.tsx'), 'MarkedMachines', inFlow),
  Record: lazyAntd(() => import('../fleet/machine-panel.tsx'), 'MachinePanel', inFlow),
};

const vulnerabilityParts: ListParts = {
  Heading: lazyAntd(() => import('../summary/exploited-counts.tsx'), 'ExploitedCounts', inFlow),
};

const partsByList: Partial<Record<ListKey, ListParts>> = {
  floto_user: clientParts,
  machines: machineParts,
  vulnerabilities: vulnerabilityParts,
};

export const findListParts = (key: string): ListParts | undefined => partsByList[key as ListKey];
