/** Who is signed in, and what they can do about it. */
import { LockOutlined, LogoutOutlined, MailOutlined } from '@ant-design/icons';
import { Link } from '@tanstack/react-router';
import { Button, Dropdown } from 'antd';
import { timeZone, useSession } from '../api/session.ts';
import { emailPath } from '../widgets/list-paths.ts';
import { endSession } from './end-session.ts';
import styles from './user-menu.module.css';

export function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const letters = words.length > 1 ? [words[0], words.at(-1)].map((word) => word?.[0]) : Array.from(words[0] ?? '?').slice(0, 2);
  return letters.join('').toUpperCase();
}

export function UserMenu({ onChangePassword }: { readonly onChangePassword: () => void }) {
  const { user } = useSession();
  if (user === null) return null;
  const items = [
    {
      key: 'who',
      type: 'group' as const,
      label: (
        <div className={styles['who']}>
          <strong>{user.name}</strong>
          {user.email === '' || user.email === user.name ? null : <span>{user.email}</span>}
          <span>
            {user.userType} · {timeZone()}
          </span>
        </div>
      ),
    },
    { type: 'divider' as const },
    { key: 'mail', icon: <MailOutlined aria-hidden />, label: <Link to={emailPath}>E-mail configuration</Link> },
    { key: 'password', icon: <LockOutlined aria-hidden />, label: 'Change password', onClick: onChangePassword },
    { key: 'out', icon: <LogoutOutlined aria-hidden />, label: 'Sign out', onClick: () => void endSession() },
  ];
  return (
    <Dropdown menu={{ items }} trigger={['click']} placement="bottomRight">
      <Button type="text" className={styles['trigger'] ?? ''} title={user.name}>
        <span className={styles['initials']}>{initialsOf(user.name)}</span>
        <span className="visually-hidden">{user.name}, user menu</span>
      </Button>
    </Dropdown>
  );
}
