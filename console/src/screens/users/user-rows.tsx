/** The users as a table, or as cards on a narrow screen. */
import { CaretDownOutlined, CaretUpOutlined } from '@ant-design/icons-svg';
import type { User } from '@patch/contract/user-endpoints.ts';
import type { UserSort } from '@patch/contract/user-sorts.ts';
import type { ReactNode } from 'react';
import { nextSort, toAriaSort } from '../../list/columns/sort-order.ts';
import { useNarrow } from '../../theme/media-query.ts';
import { Icon } from '../../widgets/icon.tsx';
import { PersonAvatar } from '../../widgets/person-avatar.tsx';
import { TimeAgo } from '../../widgets/time-ago.tsx';
import styles from './user-rows.module.css';

interface UserRowsProps {
  readonly users: readonly User[];
  readonly sort: string;
  readonly stale: boolean;
  readonly openId: number | undefined;
  /** The id of the signed-in user. */
  readonly ownId: number | undefined;
  readonly onSort: (sort: string) => void;
  readonly onOpen: (id: number) => void;
}

interface Column {
  readonly name: UserSort;
  readonly label: string;
  readonly value: (user: User) => ReactNode;
}

const columns: readonly Column[] = [
  {
    name: 'email',
    label: 'Email',
    value: ({ email }) => (email === '' ? <QuietText>none</QuietText> : email),
  },
  { name: 'userType', label: 'User type', value: ({ userType }) => userType },
  {
    name: 'lastSignInAt',
    label: 'Last sign-in',
    value: ({ lastSignInAt }) =>
      lastSignInAt === null ? <QuietText>never</QuietText> : <TimeAgo value={lastSignInAt} />,
  },
  { name: 'createdAt', label: 'Created', value: ({ createdAt }) => <TimeAgo value={createdAt} /> },
];

export function UserRows(props: UserRowsProps) {
  return useNarrow() ? <Cards {...props} /> : <Table {...props} />;
}

function Table({ users, sort, stale, openId, ownId, onSort, onOpen }: UserRowsProps) {
  return (
    <div className={styles['scroller']}>
      <table className={styles['table']} aria-label="Users" aria-busy={stale}>
        <thead>
          <tr>
            {[{ name: 'name', label: 'Name' } as const, ...columns].map(({ name, label }) => (
              <th key={name} scope="col" aria-sort={toAriaSort(sort, name)}>
                <button
                  type="button"
                  className={styles['sort']}
                  data-sorted={toAriaSort(sort, name) === 'none' ? undefined : true}
                  onClick={() => onSort(nextSort(sort, name, 'name'))}
                >
                  {label} <Icon of={sort === `-${name}` ? CaretDownOutlined : CaretUpOutlined} />
                </button>
              </th>
            ))}
            <th scope="col">Two-factor</th>
          </tr>
        </thead>
        <tbody data-stale={stale || undefined}>
          {users.map((user) => (
            <tr
              key={user.id}
              aria-current={user.id === openId || undefined}
              onClick={() => onOpen(user.id)}
            >
              <td>
                <UserCell user={user} ownId={ownId} onOpen={onOpen} />
              </td>
              {columns.map(({ name, value }) => (
                <td key={name}>{value(user)}</td>
              ))}
              <td>{user.twoFactor ? 'On' : <QuietText>off</QuietText>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cards({ users, stale, openId, ownId, onOpen }: UserRowsProps) {
  return (
    <ul
      className={styles['cards']}
      aria-label="Users"
      aria-busy={stale}
      data-stale={stale || undefined}
    >
      {users.map((user) => (
        <li key={user.id} className={styles['card']} data-open={user.id === openId || undefined}>
          <UserCell user={user} ownId={ownId} onOpen={onOpen} />
          <dl>
            {columns.map(({ name, label, value }) => (
              <div key={name}>
                <dt>{label}</dt>
                <dd>{value(user)}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}

function UserCell({
  user,
  ownId,
  onOpen,
}: { readonly user: User } & Pick<UserRowsProps, 'ownId' | 'onOpen'>) {
  return (
    <span className={styles['person']}>
      <PersonAvatar name={user.name} avatar={user.avatar} size={28} />
      <button
        type="button"
        className={styles['name']}
        onClick={(event) => {
          event.stopPropagation();
          onOpen(user.id);
        }}
      >
        {user.name}
      </button>
      {user.id === ownId ? <QuietText>you</QuietText> : null}
      {user.mustChangePassword ? (
        <span className={styles['mark']} data-tip="Has not chosen their own password yet">
          new
        </span>
      ) : null}
    </span>
  );
}

function QuietText({ children }: { readonly children: ReactNode }) {
  return <span className={styles['quiet']}>{children}</span>;
}
