/** The header: sidebar toggle, the logo as the way home, how the syncs stand, theme, and the person. */
import { LockOutlined, LogoutOutlined, MailOutlined, MenuFoldOutlined, MenuUnfoldOutlined, SearchOutlined } from '@ant-design/icons';
import { Link } from '@tanstack/react-router';
import { Button, Tooltip } from 'antd';
import { useNarrow } from '../theme/media-query.ts';
import { PatchLogo } from '../theme/patch-logo.tsx';
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

export function HeaderBar({ sidebarOpen, onToggleSidebar, onChangePassword, onJump }: HeaderBarProps) {
  const narrow = useNarrow();
  return (
    <header className={styles['header']}>
      <Button
        type="text"
        icon={sidebarOpen ? <MenuFoldOutlined aria-hidden /> : <MenuUnfoldOutlined aria-hidden />}
        aria-label={sidebarOpen ? 'Collapse the menu' : 'Expand the menu'}
        aria-expanded={sidebarOpen}
        aria-controls="sidebar"
        onClick={onToggleSidebar}
      />
      <Link to={homePath} search={{}} className={styles['home']} aria-label="Patch Repository, home">
        <PatchLogo size={26} />
        <span className={styles['name']}>Patch Repository</span>
      </Link>
      <div className={styles['right']}>
        <Tooltip title="Go to an identifier or a screen (Ctrl K)">
          <Button type="text" icon={<SearchOutlined aria-hidden />} aria-keyshortcuts="Control+K" onClick={onJump}>
            <span className="visually-hidden">Go to</span>
            {narrow ? null : <kbd className={styles['key']}>Ctrl K</kbd>}
          </Button>
        </Tooltip>
        <SyncPill />
        <ThemeSwitch />
        {narrow ? null : (
          <Link to={emailPath} search={{}}>
            <Button tabIndex={-1} icon={<MailOutlined aria-hidden />}>
              E-mail
            </Button>
          </Link>
        )}
        {narrow ? null : (
          <Tooltip title="Change password">
            <Button type="text" icon={<LockOutlined aria-hidden />} aria-label="Change password" onClick={onChangePassword} />
          </Tooltip>
        )}
        <UserMenu onChangePassword={onChangePassword} />
        {narrow ? null : (
          <Tooltip title="Sign out" placement="bottomRight">
            <Button type="text" icon={<LogoutOutlined aria-hidden />} aria-label="Sign out" onClick={() => void endSession()} />
          </Tooltip>
        )}
      </div>
    </header>
  );
}
