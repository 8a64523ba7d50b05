/** Rare sign-in steps, loaded on demand so that the usual sign-in does not wait for their scripts. */
import { lazyAntd } from '../../widgets/lazy-antd.tsx';

const spinner = { wheel: true };

export const FirstPassword = lazyAntd(
  () => import('./required-steps.tsx'),
  'FirstPassword',
  spinner,
);
export const FirstSecondFactor = lazyAntd<'FirstSecondFactor', object>(
  () => import('./required-steps.tsx'),
  'FirstSecondFactor',
  spinner,
);
export const ForgottenPassword = lazyAntd(
  () => import('./forgotten-password.tsx'),
  'ForgottenPassword',
  spinner,
);
export const SecondStep = lazyAntd(() => import('./second-step.tsx'), 'SecondStep', spinner);
