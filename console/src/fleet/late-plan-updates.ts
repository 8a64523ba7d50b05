/** Loads the dialog that plans updates when a page first shows its button. */
import { lazyAntd } from '../widgets/lazy-antd.tsx';

export const LatePlanUpdates = lazyAntd(() => import('./plan-updates.tsx'), 'PlanUpdates', {
  wheel: true,
});
