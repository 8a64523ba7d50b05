/** The frame of a signed-in user: header, sidebar and page. It maintains focus and reading order when pages change. */
import { Outlet } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import { updateFrame, usePreferences } from '../api/preferences.ts';
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
import { useDelayedOpen } from './use-delayed-open.ts';

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
  const collapsed = usePreferences().frame.sidebar === 'collapsed';
  const [drawerOpen, setDrawerOpen] = useState(false);
  const hasOpened = useHasBeen(drawerOpen);
  const password = useDelayedOpen();
  const changing = useHasBeen(password.open);
  const [jumping, setJumping] = useState(false);
  const [helping, setHelping] = useState(false);
  const jump = () => setJumping(true);
  const showShortcuts = () => setHelping(true);
  useFrameKeys({ jump, help: showShortcuts });
  const toggleSidebar = () =>
    narrow ? setDrawerOpen(true) : updateFrame({ sidebar: collapsed ? 'expanded' : 'collapsed' });

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

interface FrameKeys {
  readonly jump: () => void;
  readonly help: () => void;
}

const textFieldSelector =
  'input, textarea, select, dialog, [contenteditable=true], [role=combobox], [role=dialog], [role=menu]';

/** Keys of every page: Ctrl-K, or Command-K on a Mac, opens the command box from anywhere; `?` opens the shortcuts when no field has the focus. */
function useFrameKeys({ jump, help }: FrameKeys): void {
  const onKeyDown = useEffectEvent((event: globalThis.KeyboardEvent): void => {
    const control = event.ctrlKey || event.metaKey;
    if (event.key.toLowerCase() === 'k' && control && !event.altKey && !event.shiftKey) {
      // Prevents the browser's own search.
      event.preventDefault();
      jump();
    } else if (event.key === '?' && !control && !event.altKey && !event.defaultPrevented) {
      const { target } = event;
      if (target instanceof Element && target.closest(textFieldSelector) !== null) return;
      event.preventDefault();
      help();
    }
  });
  useEffect(() => {
    const listener = (event: globalThis.KeyboardEvent) => onKeyDown(event);
    // Listens on the window, after the page's keys on the document, because a list has its own help.
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}
