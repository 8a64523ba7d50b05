/** The users of the current page as a table, or as cards on a narrow screen, or a message without any. */
import { CaretDownOutlined, CaretUpOutlined } from '@ant-design/icons-svg';
import type { User } from '@patch/contract/accounts/user-endpoints.ts';
import type { UserSort } from '@patch/contract/accounts/user-sorts.ts';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { nextSort, toAriaSort } from '../../list/columns/sort-order.ts';
import { useNarrow } from '../../theme/media-query.ts';
import { Button } from '../../widgets/button.tsx';
import { formatCount } from '../../widgets/format-number.ts';
import { Icon } from '../../widgets/icon.tsx';
import { LoadFailure } from '../../widgets/load-failure.tsx';
import { PersonAvatar } from '../../widgets/person-avatar.tsx';
import { Skeleton } from '../../widgets/skeleton.tsx';
import { StateDrawing } from '../../widgets/state-drawing.tsx';
import { TimeAgo } from '../../widgets/time-ago.tsx';
import styles from './user-table.module.css';
import type { readUsersSearch, UsersSearch } from './users-search.ts';

interface UserTableProps {
  readonly users: {
    readonly query: UseQueryResult;
    readonly items: readonly User[] | undefined;
  };
  readonly search: Pick<ReturnType<typeof readUsersSearch>, 'sort' | 'user'>;
  /** The id of the signed-in user. */
  readonly ownId: number | undefined;
  readonly onSearch: (change: Partial<UsersSearch>) => void;
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
  { name: 'userType', label: 'User type', value: (user) => <UserTypeCell user={user} /> },
  {
    name: 'lastSignInAt',
    label: 'Last sign-in',
    value: ({ lastSignInAt }) =>
      lastSignInAt === null ? <QuietText>never</QuietText> : <TimeAgo value={lastSignInAt} />,
  },
  { name: 'createdAt', label: 'Created', value: ({ createdAt }) => <TimeAgo value={createdAt} /> },
];

export function UserTable(props: UserTableProps) {
  const { query, items } = props.users;
  const isNarrow = useNarrow();
  if (items === undefined)
    return query.error === null ? (
      <Skeleton rows={8} />
    ) : (
      <LoadFailure what="users" failure={query.error} onReload={() => void query.refetch()} />
    );
  if (items.length === 0)
    return (
      <StateDrawing
        state="no-match"
        title="No Data Found."
        action={
          <Button onClick={() => props.onSearch({ keyword: undefined, page: undefined })}>
            Clear the search
          </Button>
        }
      />
    );
  const rows = { ...props, items, isStale: query.isPlaceholderData };
  return isNarrow ? <Cards {...rows} /> : <Table {...rows} />;
}

interface RowsProps extends Omit<UserTableProps, 'users'> {
  readonly items: readonly User[];
  readonly isStale: boolean;
}

function Table({ items, isStale, search: { sort, user: openId }, ownId, onSearch }: RowsProps) {
  return (
    <div className={styles['scroller']}>
      <table className={styles['table']} aria-label="Users" aria-busy={isStale}>
        <thead>
          <tr>
            {[{ name: 'name', label: 'Name' } as const, ...columns].map(({ name, label }) => (
              <th key={name} scope="col" aria-sort={toAriaSort(sort, name)}>
                <button
                  type="button"
                  className={styles['sort']}
                  data-sorted={toAriaSort(sort, name) === 'none' ? undefined : true}
                  onClick={() =>
                    onSearch({
                      sort: nextSort(sort, name, 'name') as UsersSearch['sort'],
                      page: undefined,
                    })
                  }
                >
                  {label} <Icon of={sort === `-${name}` ? CaretDownOutlined : CaretUpOutlined} />
                </button>
              </th>
            ))}
            <th scope="col">Two-factor</th>
          </tr>
        </thead>
        <tbody data-stale={isStale || undefined}>
          {items.map((user) => (
            <tr
              key={user.id}
              aria-current={user.id === openId || undefined}
              onClick={() => onSearch({ user: user.id })}
            >
              <td>
                <UserCell user={user} ownId={ownId} onSearch={onSearch} />
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

function Cards({ items, isStale, search: { user: openId }, ownId, onSearch }: RowsProps) {
  return (
    <ul
      className={styles['cards']}
      aria-label="Users"
      aria-busy={isStale}
      data-stale={isStale || undefined}
    >
      {items.map((user) => (
        <li key={user.id} className={styles['card']} data-open={user.id === openId || undefined}>
          <UserCell user={user} ownId={ownId} onSearch={onSearch} />
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

interface UserCellProps extends Pick<UserTableProps, 'ownId' | 'onSearch'> {
  readonly user: User;
}

function UserCell({ user, ownId, onSearch }: UserCellProps) {
  return (
    <span className={styles['person']}>
      <PersonAvatar name={user.name} avatar={user.avatar} size={28} />
      <button
        type="button"
        className={styles['name']}
        onClick={(event) => {
          event.stopPropagation();
          onSearch({ user: user.id });
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

function UserTypeCell({ user: { userType, machineGroups } }: { readonly user: User }) {
  if (machineGroups === null) return userType;
  return (
    <>
      {userType} <QuietText>of {formatCount(machineGroups.length, ['group', 'groups'])}</QuietText>
    </>
  );
}

function QuietText({ children }: { readonly children: ReactNode }) {
  return <span className={styles['quiet']}>{children}</span>;
}
