/** The header: sidebar toggle, the logo as the way home, how the syncs stand, theme, and the person. */

import {
  LockOutlined,
  LogoutOutlined,
  MailOutlined,
  MenuFoldOutlined,
  MenuUnfoldOutlined,
  SearchOutlined,
} from '@ant-design/icons-svg';
import { Link } from '@tanstack/react-router';
import { useAbout } from '../api/about.ts';
import { useSession } from '../api/session.ts';
import { useNarrow } from '../theme/media-query.ts';
import { PatchLogo } from '../theme/patch-logo.tsx';
import { Button, buttonClass } from '../widgets/button.tsx';
import { Icon } from '../widgets/icon.tsx';
import { emailPath, homePath } from '../widgets/list-paths.ts';
import { endSession } from './end-session.ts';
import styles from './header-bar.module.css';
import { SyncPill } from './sync-pill.tsx';
import { ThemeSwitch } from './theme-switch.tsx';
import { UserMenu } from './user-menu.tsx';

export interface HeaderBarProps {
  readonly sidebarOpen: boolean;
  readonly onToggleSidebar: () => void;
  readonly onChangePassword: () => void;
  readonly onJump: () => void;
}

export function HeaderBar({
  sidebarOpen,
  onToggleSidebar,
  onChangePassword,
  onJump,
}: HeaderBarProps) {
  const narrow = useNarrow();
  const { name } = useAbout();
  const isAdmin = useSession().user?.userType === 'Admin';
  return (
    <header className={styles['header']}>
      <Button
        look="quiet"
        icon={sidebarOpen ? <Icon of={MenuFoldOutlined} /> : <Icon of={MenuUnfoldOutlined} />}
        aria-label={sidebarOpen ? 'Collapse the menu' : 'Expand the menu'}
        aria-expanded={sidebarOpen}
        aria-controls="sidebar"
        onClick={onToggleSidebar}
      />
      <Link to={homePath} search={{}} className={styles['home']} aria-label={`${name}, home`}>
        <PatchLogo size={26} />
        <span className={styles['name']}>{name}</span>
      </Link>
      <div className={styles['right']}>
        <Button
          data-tip="Go to an identifier or a screen (Ctrl K)"
          look="quiet"
          icon={<Icon of={SearchOutlined} />}
          aria-keyshortcuts="Control+K"
          onClick={onJump}
        >
          <span className="visually-hidden">Go to</span>
          {narrow ? null : <kbd className={styles['key']}>Ctrl K</kbd>}
        </Button>
        <SyncPill />
        <ThemeSwitch />
        {narrow || !isAdmin ? null : (
          <Link to={emailPath} search={{}} className={buttonClass({})}>
            <Icon of={MailOutlined} /> Email
          </Link>
        )}
        {narrow ? null : (
          <Button
            data-tip="Change password"
            look="quiet"
            icon={<Icon of={LockOutlined} />}
            aria-label="Change password"
            onClick={onChangePassword}
          />
        )}
        <UserMenu onChangePassword={onChangePassword} />
        {narrow ? null : (
          <Button
            data-tip="Sign out"
            look="quiet"
            icon={<Icon of={LogoutOutlined} />}
            aria-label="Sign out"
            onClick={() => void endSession()}
          />
        )}
      </div>
    </header>
  );
}
