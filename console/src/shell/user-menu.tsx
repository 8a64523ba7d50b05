/** The menus of the header: theme, and signed-in user. */
import {
  DesktopOutlined,
  LockOutlined,
  LogoutOutlined,
  MoonOutlined,
  SunOutlined,
  UserOutlined,
} from '@ant-design/icons-svg';
import { themeModes } from '@patch/contract/operations/preference-endpoints.ts';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { timeZone, useSession } from '../api/session.ts';
import { type ThemeMode, useThemeMode } from '../api/theme-mode.ts';
import { formatCount } from '../widgets/format-number.ts';
import { Icon } from '../widgets/icon.tsx';
import { accountPath } from '../widgets/list-paths.ts';
import { Menu, type MenuEntry } from '../widgets/menu.tsx';
import { PersonAvatar } from '../widgets/person-avatar.tsx';
import { endSession } from './end-session.ts';
import styles from './user-menu.module.css';

export function UserMenu({ onChangePassword }: { readonly onChangePassword: () => void }) {
  const { user } = useSession();
  const navigate = useNavigate();
  if (user === null) return null;
  const groups = user.machineGroups ?? null;
  const userLabel = (
    <div className={styles['who']}>
      <strong>{user.name}</strong>
      {user.email === '' || user.email === user.name ? null : <span>{user.email}</span>}
      <span>
        {user.userType} · {timeZone()}
      </span>
      {groups === null ? null : (
        <span>sees machines of {formatCount(groups.length, ['group', 'groups'])}</span>
      )}
    </div>
  );
  const entries: readonly MenuEntry[] = [
    {
      key: 'account',
      icon: <Icon of={UserOutlined} />,
      label: 'My account',
      onChoose: () => void navigate({ to: accountPath, search: {} as never }),
    },
    {
      key: 'password',
      icon: <Icon of={LockOutlined} />,
      label: 'Change password',
      onChoose: onChangePassword,
    },
    {
      key: 'out',
      icon: <Icon of={LogoutOutlined} />,
      label: 'Sign out',
      onChoose: () => void endSession(),
    },
  ];
  return (
    <Menu
      look="quiet"
      className={styles['trigger'] ?? ''}
      title={user.name}
      heading={userLabel}
      entries={entries}
    >
      <PersonAvatar name={user.name} avatar={user.avatar} />
      <span className="visually-hidden">{user.name}, user menu</span>
    </Menu>
  );
}

const looks: Readonly<Record<ThemeMode, { readonly label: string; readonly icon: ReactNode }>> = {
  light: { label: 'Light', icon: <Icon of={SunOutlined} /> },
  dark: { label: 'Dark', icon: <Icon of={MoonOutlined} /> },
  system: { label: 'System', icon: <Icon of={DesktopOutlined} /> },
};

export function ThemeSwitch() {
  const { mode, setMode } = useThemeMode();
  const entries = themeModes.map((key) => ({
    key,
    ...looks[key],
    checked: key === mode,
    onChoose: () => setMode(key),
  }));
  return (
    <Menu
      look="quiet"
      icon={looks[mode].icon}
      aria-label={`Theme: ${looks[mode].label}`}
      entries={entries}
    />
  );
}
