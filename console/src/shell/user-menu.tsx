/** Who is signed in, and what they can do about it. */

import { LockOutlined, LogoutOutlined, MailOutlined } from '@ant-design/icons-svg';
import { useNavigate } from '@tanstack/react-router';
import { timeZone, useSession } from '../api/session.ts';
import { Icon } from '../widgets/icon.tsx';
import { emailPath } from '../widgets/list-paths.ts';
import { Menu, type MenuEntry } from '../widgets/menu.tsx';
import { endSession } from './end-session.ts';
import styles from './user-menu.module.css';

export function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const letters = words.length > 1 ? [words[0], words.at(-1)].map((word) => word?.[0]) : Array.from(words[0] ?? '?').slice(0, 2);
  return letters.join('').toUpperCase();
}

export function UserMenu({ onChangePassword }: { readonly onChangePassword: () => void }) {
  const { user } = useSession();
  const navigate = useNavigate();
  if (user === null) return null;
  const who = (
    <div className={styles['who']}>
      <strong>{user.name}</strong>
      {user.email === '' || user.email === user.name ? null : <span>{user.email}</span>}
      <span>
        {user.userType} · {timeZone()}
      </span>
    </div>
  );
  const entries: readonly MenuEntry[] = [
    {
      key: 'mail',
      icon: <Icon of={MailOutlined} />,
      label: 'E-mail configuration',
      onChoose: () => void navigate({ to: emailPath, search: {} as never }),
    },
    { key: 'password', icon: <Icon of={LockOutlined} />, label: 'Change password', onChoose: onChangePassword },
    { key: 'out', icon: <Icon of={LogoutOutlined} />, label: 'Sign out', onChoose: () => void endSession() },
  ];
  return (
    <Menu look="quiet" className={styles['trigger'] ?? ''} title={user.name} heading={who} entries={entries}>
      <span className={styles['initials']}>{initialsOf(user.name)}</span>
      <span className="visually-hidden">{user.name}, user menu</span>
    </Menu>
  );
}
