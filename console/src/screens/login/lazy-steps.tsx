/** The steps of signing in that few take: who signs in as usual does not wait for their scripts. */
import { lazyAntd } from '../../widgets/lazy-antd.tsx';

const wheel = { wheel: true };

export const FirstPassword = lazyAntd(() => import('./first-password.tsx'), 'FirstPassword', wheel);
export const FirstSecondFactor = lazyAntd(
  () => import('./first-second-factor.tsx'),
  'FirstSecondFactor',
  wheel,
);
export const ForgottenPassword = lazyAntd(
  () => import('./forgotten-password.tsx'),
  'ForgottenPassword',
  wheel,
);
export const SecondStep = lazyAntd(() => import('./second-step.tsx'), 'SecondStep', wheel);
