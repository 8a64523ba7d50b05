/** Criterion picker, loaded on first use because its calendar is larger than the list. */
import { lazyAntd } from '../../widgets/lazy-antd.tsx';

export const LazyCriterionPicker = lazyAntd(
  () => import('./criterion-picker.tsx'),
  'CriterionPicker',
  { wheel: true },
);
