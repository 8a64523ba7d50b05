/** The signed-in person's frame: header, sidebar, page. It keeps the focus and the reading order right as pages change. */
import { Outlet } from '@tanstack/react-router';
import { useState } from 'react';
import { useSourceEvents } from '../api/use-source-events.ts';
import { ProofHost } from '../forms/proof-host.tsx';
import { useNarrow } from '../theme/media-query.ts';
import { ConfirmHost } from '../widgets/confirm-modal.tsx';
import { lazyAntd } from '../widgets/lazy-antd.tsx';
import { useHasBeen } from '../widgets/use-has-been.ts';
import { HeaderBar } from './header-bar.tsx';

import styles from './main-layout.module.css';
import { mainId, PageAnnouncer } from './page-announcer.tsx';
import { Sidebar } from './sidebar.tsx';
import { useSidebarCollapsed } from './sidebar-collapsed.ts';
import { useDelayedOpen } from './use-delayed-open.ts';
import { useJumpKey } from './use-jump-key.ts';

/** Fetched when they are first asked for. */
const ChangePasswordDrawer = lazyAntd(
  () => import('./change-password-drawer.tsx'),
  'ChangePasswordDrawer',
);
const JumpBox = lazyAntd(() => import('./jump-box.tsx'), 'JumpBox');
const SidebarDrawer = lazyAntd(() => import('./sidebar-drawer.tsx'), 'SidebarDrawer');

export function MainLayout() {
  useSourceEvents();
  const narrow = useNarrow();
  const [collapsed, setCollapsed] = useSidebarCollapsed();
  const [drawerOpen, setDrawerOpen] = useState(false);
  const everOpen = useHasBeen(drawerOpen);
  const password = useDelayedOpen();
  const changing = useHasBeen(password.open);
  const [jumping, setJumping] = useState(false);
  useJumpKey(() => setJumping(true));

  return (
    <div className={styles['layout']} data-collapsed={collapsed || undefined}>
      <a className={styles['skip']} href={`#${mainId}`}>
        Skip to content
      </a>
      <HeaderBar
        sidebarOpen={narrow ? drawerOpen : !collapsed}
        onToggleSidebar={() => (narrow ? setDrawerOpen(true) : setCollapsed(!collapsed))}
        onChangePassword={password.openSoon}
        onJump={() => setJumping(true)}
      />
      {narrow ? (
        everOpen && <SidebarDrawer open={drawerOpen} onClose={() => setDrawerOpen(false)} />
      ) : (
        <div className={styles['side']}>
          <Sidebar collapsed={collapsed} />
        </div>
      )}
      <main id={mainId} tabIndex={-1} className={styles['main']}>
        <Outlet />
      </main>
      <PageAnnouncer />
      {changing ? <ChangePasswordDrawer open={password.open} onClose={password.close} /> : null}
      <ConfirmHost />
      <ProofHost />
      {jumping ? <JumpBox open onClose={() => setJumping(false)} /> : null}
    </div>
  );
}
