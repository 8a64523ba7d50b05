/** The picker of a criterion, fetched when one is first asked: its calendar alone is larger than the list. */
import { lazyAntd } from '../widgets/lazy-antd.tsx';

export const LazyCriterionPicker = lazyAntd(
  () => import('./criterion-picker.tsx'),
  'CriterionPicker',
  { wheel: true },
);
