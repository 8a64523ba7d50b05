/** The dashboard with forms of other screens in drawers over its first steps. */
import { DashboardScreen } from '../screens/dashboard/dashboard-screen.tsx';
import { lazyAntd } from '../widgets/lazy-antd.tsx';

const drawers = {
  EmailDrawer: lazyAntd(() => import('./first-step-drawers.tsx'), 'EmailDrawer'),
  InviteDrawer: lazyAntd(() => import('./first-step-drawers.tsx'), 'InviteDrawer'),
};

export const DashboardPage = () => <DashboardScreen drawers={drawers} />;
