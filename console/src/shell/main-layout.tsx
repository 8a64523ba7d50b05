/** The frame of a signed-in user: header, sidebar and page. It maintains focus and reading order when pages change. */
import { Outlet } from '@tanstack/react-router';
import { useState } from 'react';
import { useSourceEvents } from '../api/use-source-events.ts';
import { ProofHost } from '../forms/proof-host.tsx';
import { useNarrow } from '../theme/media-query.ts';
import { ConfirmHost } from '../widgets/confirm-modal.tsx';
import { lazyAntd } from '../widgets/lazy-antd.tsx';
import { useHasBeen } from '../widgets/use-has-been.ts';
import { endSession } from './end-session.ts';
import { HeaderBar } from './header-bar.tsx';
import { JumpDialog } from './jump-dialog.tsx';
import styles from './main-layout.module.css';
import { mainId, PageAnnouncer } from './page-announcer.tsx';
import { Sidebar } from './sidebar.tsx';
import { useSidebarCollapsed } from './sidebar-collapsed.ts';
import { useDelayedOpen } from './use-delayed-open.ts';
import { useFrameKeys } from './use-frame-keys.ts';

/** Loaded on first use. */
const ChangePasswordDrawer = lazyAntd(
  () => import('./change-password-drawer.tsx'),
  'ChangePasswordDrawer',
);
const ShortcutHelp = lazyAntd(() => import('./shortcut-help.tsx'), 'ShortcutHelp');
const SidebarDrawer = lazyAntd(() => import('./sidebar-drawer.tsx'), 'SidebarDrawer');

export function MainLayout() {
  useSourceEvents();
  const narrow = useNarrow();
  const [collapsed, setCollapsed] = useSidebarCollapsed();
  const [drawerOpen, setDrawerOpen] = useState(false);
  const hasOpened = useHasBeen(drawerOpen);
  const password = useDelayedOpen();
  const changing = useHasBeen(password.open);
  const [jumping, setJumping] = useState(false);
  const [helping, setHelping] = useState(false);
  const jump = () => setJumping(true);
  const showShortcuts = () => setHelping(true);
  useFrameKeys({ jump, help: showShortcuts });
  const toggleSidebar = () => (narrow ? setDrawerOpen(true) : setCollapsed(!collapsed));

  return (
    <div className={styles['layout']} data-collapsed={collapsed || undefined}>
      <a className={styles['skip']} href={`#${mainId}`}>
        Skip to content
      </a>
      <HeaderBar
        sidebarOpen={narrow ? drawerOpen : !collapsed}
        onToggleSidebar={toggleSidebar}
        onChangePassword={password.openSoon}
        onJump={jump}
      />
      {narrow ? (
        hasOpened && <SidebarDrawer open={drawerOpen} onClose={() => setDrawerOpen(false)} />
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
      {jumping ? (
        <JumpDialog
          onClose={() => setJumping(false)}
          changePassword={password.openSoon}
          toggleSidebar={toggleSidebar}
          showShortcuts={showShortcuts}
          signOut={() => void endSession()}
        />
      ) : null}
      {helping ? <ShortcutHelp onClose={() => setHelping(false)} /> : null}
    </div>
  );
}
