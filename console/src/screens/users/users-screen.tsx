/** The people who may sign in: found, created, changed and removed by administrators; everyone's API keys beside them. */

import { KeyOutlined, PlusOutlined } from '@ant-design/icons-svg';
import { meEndpoint } from '@patch/contract/sign-in-endpoints.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { callApi } from '../../api/call-api.ts';
import { refreshUser, useSession } from '../../api/session.ts';
import { toast } from '../../api/toast.ts';
import { DebouncedInput } from '../../forms/debounced-input.tsx';
import { ListPager } from '../../list/list-pager.tsx';
import { lastPage } from '../../list/list-url.ts';
import { Button } from '../../widgets/button.tsx';
import { Icon } from '../../widgets/icon.tsx';
import { PageHeader } from '../../widgets/page-header.tsx';
import { AllApiKeysDrawer, NewUserDrawer } from './side-drawers.tsx';
import { useUserList } from './use-user-list.ts';
import { UserDrawer } from './user-drawer.tsx';
import { UserTable } from './user-table.tsx';
import styles from './users-screen.module.css';
import { readUsersSearch, type UsersSearch } from './users-search.ts';

/** Changes the address of the screen; what is undefined leaves it. */
type ChangeUsersSearch = (change: Partial<UsersSearch>, replace?: boolean) => void;

export function UsersScreen() {
  const { search, go } = useUsersAddress();
  const { keyword, sort, page, size, user, tab, show } = search;
  const own = useSession().user;
  const close = () => go({ user: undefined, tab: undefined, show: undefined });

  const chosen = { active: user ?? null, editing: tab === 'profile' ? (user ?? null) : null };
  const users = useUserList({ keyword, sort, page, size }, chosen, ({ active }) => {
    if (active === null && user !== undefined) close();
  });
  const { total } = users;
  const stale = users.query.isPlaceholderData;
  useLastPage(page, total === undefined || stale ? undefined : lastPage(total, size), go);

  /** The rest of the console shows the own name and picture, too. */
  async function refreshOwn(id: number): Promise<void> {
    if (id === own?.id) refreshUser(await callApi(meEndpoint));
  }

  return (
    <>
      <UsersHeader
        total={total}
        isAdmin={own?.userType === 'Admin'}
        onShow={(filter) => go({ show: filter })}
      />
      <div className={styles['screen']}>
        <DebouncedInput
          className={styles['search'] ?? ''}
          type="search"
          aria-label="Search users"
          placeholder="Name or email"
          maxLength={255}
          value={keyword}
          onRest={(words) =>
            go({ keyword: words === '' ? undefined : words, page: undefined }, true)
          }
        />
        <UserTable users={users} search={search} ownId={own?.id} onSearch={go} />
        <ListPager
          page={page}
          size={size}
          totalCount={total}
          stale={stale}
          onPage={(next) => go({ page: next })}
          onSize={(next) => go({ size: next, page: undefined })}
        />
      </div>
      <UserDrawer
        user={users.active}
        isSelf={users.active?.id === own?.id}
        tab={tab}
        onTab={(next) => go({ tab: next }, true)}
        onClose={close}
        onSave={async (changes, id) => {
          const saved = await users.save(changes, id);
          toast.success(`${saved.name} is saved.`);
          await refreshOwn(id);
          return saved;
        }}
        onChanged={async (changed) => {
          await users.replace(changed);
          await refreshOwn(changed.id);
        }}
        onRemove={users.remove}
      />
      <NewUserDrawer
        open={show === 'new'}
        onCreate={(draft) => users.save(draft)}
        onClose={close}
      />
      <AllApiKeysDrawer open={show === 'keys'} onClose={close} />
    </>
  );
}

/** What the address says, and how it changes. */
function useUsersAddress() {
  const search = readUsersSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const go: ChangeUsersSearch = (change, replace = false) =>
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, ...change }) as never,
      replace,
    });
  return { search, go };
}

/** Goes to the last page from one beyond it. `last` is undefined while it is not known. */
function useLastPage(page: number, last: number | undefined, go: ChangeUsersSearch): void {
  const beyond = last !== undefined && page > last ? last : undefined;
  const toLast = useEffectEvent((to: number) => go({ page: to }, true));
  useEffect(() => {
    if (beyond !== undefined) toLast(beyond);
  }, [beyond]);
}

interface UsersHeaderProps {
  /** Undefined while it is not known. */
  readonly total: number | undefined;
  readonly isAdmin: boolean;
  readonly onShow: (show: 'new' | 'keys') => void;
}

function UsersHeader({ total, isAdmin, onShow }: UsersHeaderProps) {
  return (
    <PageHeader
      title="Users"
      beside={
        total === undefined ? undefined : (
          <span aria-live="polite">
            {total === 1 ? '1 user' : `${total.toLocaleString('en')} users`}
          </span>
        )
      }
      actions={
        isAdmin && (
          <>
            <Button icon={<Icon of={KeyOutlined} />} onClick={() => onShow('keys')}>
              API keys
            </Button>
            <Button look="primary" icon={<Icon of={PlusOutlined} />} onClick={() => onShow('new')}>
              New user
            </Button>
          </>
        )
      }
    />
  );
}
