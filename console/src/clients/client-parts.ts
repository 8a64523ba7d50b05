/** What the list of licensed clients has beyond other lists: registering one, and what can be done with one. Each is fetched when it is shown. */
import type { ListKey } from '@patch/catalogue/lists.ts';
import type { ComponentType } from 'react';
import { lazyAntd } from '../widgets/lazy-antd.tsx';

interface ListParts {
  /** Beside the list's heading. */
  readonly Heading: ComponentType;
  /** Over a record's facts. */
  readonly Record: ComponentType<{ readonly id: number }>;
}

const clientParts: ListParts = {
  Heading: lazyAntd(() => import('./register-client.tsx'), 'RegisterClient'),
  Record: lazyAntd(() => import('./client-panel.tsx'), 'ClientPanel'),
};

const parts: Partial<Record<ListKey, ListParts>> = { floto_user: clientParts };

export const partsOfList = (key: string): ListParts | undefined => parts[key as ListKey];
