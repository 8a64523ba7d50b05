/** The header: sidebar toggle, logo, links of the overview, search, sync state, and the user's menu. */

import {
  LockOutlined,
  LogoutOutlined,
  MailOutlined,
  MenuFoldOutlined,
  MenuUnfoldOutlined,
  SearchOutlined,
} from '@ant-design/icons-svg';
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { Link } from '@tanstack/react-router';
import { useAbout } from '../api/about.ts';
import { useMay } from '../api/session.ts';
import { useNarrow } from '../theme/media-query.ts';
import { PatchLogo } from '../theme/patch-logo.tsx';
import { Button, buttonClass } from '../widgets/button.tsx';
import { Icon } from '../widgets/icon.tsx';
import { emailPath, homePath } from '../widgets/list-paths.ts';
import { endSession } from './end-session.ts';
import styles from './header-bar.module.css';
import { listOverviewEntries } from './sidebar-entries.ts';
import { ConnectionPill, SyncPill } from './sync-pill.tsx';
import { ThemeSwitch, UserMenu } from './user-menu.tsx';

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
      <Link
        to={homePath}
        search={{}}
        activeOptions={{ exact: true }}
        className={styles['home']}
        aria-label={`${name}, home`}
      >
        <PatchLogo size={26} />
        <span className={styles['name']}>{name}</span>
      </Link>
      {narrow ? null : <OverviewLinks />}
      <button
        type="button"
        className={styles['search']}
        data-tip="Go to an identifier or a screen, or run a command"
        aria-keyshortcuts="Control+K"
        aria-haspopup="dialog"
        onClick={onJump}
      >
        <Icon of={SearchOutlined} />
        <span className={styles['hint']}>
          {narrow ? 'Search' : 'Search KB, CVE, package or screen'}
        </span>
        {narrow ? null : (
          <kbd aria-hidden="true" className={styles['key']}>
            Ctrl K
          </kbd>
        )}
      </button>
      <div className={styles['right']}>
        <ConnectionPill />
        <SyncPill />
        <ThemeSwitch />
        {narrow ? null : <AccountButtons onChangePassword={onChangePassword} />}
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

/** On a narrow screen only the sidebar shows these links. */
function OverviewLinks() {
  return (
    <nav className={styles['overview']} aria-label="Overview">
      {listOverviewEntries(catalogueLists).map(({ path, label }) => (
        <Link
          key={path}
          to={path}
          search={{}}
          activeOptions={{ includeSearch: false }}
          className={styles['tab']}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}

/** Buttons that the specification requires; the sidebar and the user's menu have them as well. */
function AccountButtons({ onChangePassword }: Pick<HeaderBarProps, 'onChangePassword'>) {
  const isAdmin = useMay('admin');
  return (
    <>
      {isAdmin ? (
        <Link
          to={emailPath}
          search={{}}
          className={buttonClass({ small: true })}
          data-bare
          data-tip="Email configuration"
          aria-label="Email"
        >
          <Icon of={MailOutlined} />
        </Link>
      ) : null}
      <Button
        data-tip="Change password"
        look="quiet"
        icon={<Icon of={LockOutlined} />}
        aria-label="Change password"
        onClick={onChangePassword}
      />
    </>
  );
}
