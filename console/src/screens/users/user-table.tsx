/** The users of the current page, or a message without any. */
import { Button } from '../../widgets/button.tsx';
import { LoadFailure } from '../../widgets/load-failure.tsx';
import { Skeleton } from '../../widgets/skeleton.tsx';
import { StateDrawing } from '../../widgets/state-drawing.tsx';
import type { useUserList } from './use-user-list.ts';
import { UserRows } from './user-rows.tsx';
import type { readUsersSearch, UsersSearch } from './users-search.ts';

interface UserTableProps {
  readonly users: Pick<ReturnType<typeof useUserList>, 'query' | 'items'>;
  readonly search: Pick<ReturnType<typeof readUsersSearch>, 'sort' | 'user'>;
  readonly ownId: number | undefined;
  readonly onSearch: (change: Partial<UsersSearch>) => void;
}

export function UserTable({ users, search, ownId, onSearch }: UserTableProps) {
  const { query, items } = users;
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
          <Button onClick={() => onSearch({ keyword: undefined, page: undefined })}>
            Clear the search
          </Button>
        }
      />
    );
  return (
    <UserRows
      users={items}
      sort={search.sort}
      stale={query.isPlaceholderData}
      openId={search.user}
      ownId={ownId}
      onSort={(next) => onSearch({ sort: next as UsersSearch['sort'], page: undefined })}
      onOpen={(id) => onSearch({ user: id })}
    />
  );
}
