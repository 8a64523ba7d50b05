/** The users who may sign in. Administrators search, create, change and remove them, and see all API keys. */
import { KeyOutlined, PlusOutlined } from '@ant-design/icons-svg';
import { meEndpoint } from '@patch/contract/accounts/sign-in-endpoints.ts';
import {
  changeUserEndpoint,
  createUserEndpoint,
  deleteUserEndpoint,
  type User,
  usersEndpoint,
} from '@patch/contract/accounts/user-endpoints.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { callApi } from '../../api/call-api.ts';
import { type ItemSelection, useOptimisticList } from '../../api/optimistic-list.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { refreshUser, useSession } from '../../api/session.ts';
import { toast } from '../../api/toast.ts';
import { DebouncedInput } from '../../forms/debounced-input.tsx';
import { getLastPage } from '../../list/address/list-url.ts';
import { ListPager } from '../../list/pages/list-pager.tsx';
import { SideDrawer } from '../../resources/side-drawer.tsx';
import { Button } from '../../widgets/button.tsx';
import { Icon } from '../../widgets/icon.tsx';
import { PageHeader } from '../../widgets/page-header.tsx';
import { ApiKeyList } from './api-keys.tsx';
import { type UserChanges, UserDrawer } from './user-drawer.tsx';
import { NewUserDrawer, type UserDraft } from './user-form.tsx';
import { UserTable } from './user-table.tsx';
import styles from './users.module.css';
import { readUsersSearch, type UsersSearch } from './users-search.ts';

/** Changes the search parameters. Undefined removes a parameter. */
type ChangeUsersSearch = (change: Partial<UsersSearch>, replace?: boolean) => void;

export function UsersScreen() {
  const { search, updateSearch } = useUsersAddress();
  const { keyword, page, size, user, tab, show } = search;
  const own = useSession().user;
  const close = () => updateSearch({ user: undefined, tab: undefined, show: undefined });

  const selection = { active: user ?? null, editing: tab === 'profile' ? (user ?? null) : null };
  const users = useUserList(search, selection, ({ active }) => {
    if (active === null && user !== undefined) close();
  });
  const { total } = users;
  const stale = users.query.isPlaceholderData;
  const lastPage = total === undefined || stale ? undefined : getLastPage(total, size);
  useLastPage(page, lastPage, updateSearch);

  /** The rest of the console also shows the user's own name and picture. */
  async function refreshOwn(id: number): Promise<void> {
    if (id === own?.id) refreshUser(await callApi(meEndpoint));
  }

  return (
    <>
      <UsersHeader
        total={total}
        isAdmin={own?.userType === 'Admin'}
        onShow={(filter) => updateSearch({ show: filter })}
      />
      <div className={styles['screen']}>
        <DebouncedInput
          className={styles['search'] ?? ''}
          type="search"
          aria-label="Search users"
          placeholder="Name or email"
          maxLength={255}
          value={keyword}
          onPause={(words) =>
            updateSearch({ keyword: words === '' ? undefined : words, page: undefined }, true)
          }
        />
        <UserTable users={users} search={search} ownId={own?.id} onSearch={updateSearch} />
        <ListPager
          page={page}
          size={size}
          totalCount={total}
          stale={stale}
          onPage={(next) => updateSearch({ page: next })}
          onSize={(next) => updateSearch({ size: next, page: undefined })}
        />
      </div>
      <UserDrawer
        user={users.active}
        isSelf={users.active?.id === own?.id}
        tab={tab}
        onTab={(next) => updateSearch({ tab: next }, true)}
        onClose={close}
        onSave={async (changes, id) => {
          const saved = await users.save(changes, id);
          toast.success(`${saved.name} is saved.`);
          await refreshOwn(id);
          return saved;
        }}
        onChanged={async (changedUser) => {
          await users.replace(changedUser);
          await refreshOwn(changedUser.id);
        }}
        onRemove={users.remove}
      />
      <NewUserDrawer
        open={show === 'new'}
        onCreate={(draft) => users.save(draft)}
        onClose={close}
      />
      <SideDrawer title="All API keys" open={show === 'keys'} onClose={close}>
        <ApiKeyList of="everyone" />
      </SideDrawer>
    </>
  );
}

/** The search parameters and a function that changes them. */
function useUsersAddress() {
  const search = readUsersSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const updateSearch: ChangeUsersSearch = (change, replace = false) =>
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, ...change }) as never,
      replace,
    });
  return { search, updateSearch };
}

/** A page of users that stays current as they are created, changed and removed. */
function useUserList(
  { keyword, sort, page, size }: Omit<ReturnType<typeof readUsersSearch>, 'user' | 'tab' | 'show'>,
  selectedId: ItemSelection,
  onSelect: (selectedId: ItemSelection) => void,
) {
  return useOptimisticList<User, UserDraft, UserChanges>({
    queryKey: queryKeys.users.page({ keyword, sort, page, size }),
    async load(signal) {
      const query = { offset: String((page - 1) * size), size: String(size), sort };
      const { objectList, totalCount } = await callApi(usersEndpoint, {
        query,
        body: { keyword },
        signal,
      });
      return { items: objectList, total: totalCount };
    },
    create: (body) => callApi(createUserEndpoint, { body }),
    update: (id, body) => callApi(changeUserEndpoint, { params: { id: String(id) }, body }),
    remove: (id) => callApi(deleteUserEndpoint, { params: { id: String(id) } }),
    chosen: selectedId,
    onChosen: onSelect,
  });
}

/** Moves from a page beyond the end to the last one. `last` is undefined until known. */
function useLastPage(
  page: number,
  last: number | undefined,
  updateSearch: ChangeUsersSearch,
): void {
  const target = last !== undefined && page > last ? last : undefined;
  const goToLast = useEffectEvent((to: number) => updateSearch({ page: to }, true));
  useEffect(() => {
    if (target !== undefined) goToLast(target);
  }, [target]);
}

interface UsersHeaderProps {
  /** Undefined until loaded. */
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
