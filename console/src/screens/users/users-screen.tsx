/** The people who may sign in: found, made, changed and removed by administrators; everybody's API keys beside them. */

import { KeyOutlined, PlusOutlined } from '@ant-design/icons-svg';
import { apiKeysEndpoint, endApiKeyEndpoint } from '@patch/contract/api-key-endpoints.ts';
import { meEndpoint } from '@patch/contract/sign-in-endpoints.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Drawer, Skeleton } from 'antd';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { refreshUser, useSession } from '../../api/session.ts';
import { toast } from '../../api/toast.ts';
import { DebouncedInput } from '../../forms/debounced-input.tsx';
import { ListPager } from '../../list/list-pager.tsx';
import { lastPage } from '../../list/list-url.ts';
import { useNarrow } from '../../theme/media-query.ts';
import { sizes } from '../../theme/tokens.ts';
import { Button } from '../../widgets/button.tsx';
import { Icon } from '../../widgets/icon.tsx';
import { LoadFailure } from '../../widgets/load-failure.tsx';
import { PageHeader } from '../../widgets/page-header.tsx';
import { StateDrawing } from '../../widgets/state-drawing.tsx';
import { ApiKeyList } from './api-key-list.tsx';
import { useUserList } from './use-user-list.ts';
import { UserDrawer } from './user-drawer.tsx';
import { UserForm } from './user-form.tsx';
import { UserRows } from './user-rows.tsx';
import styles from './users-screen.module.css';
import { readUsersSearch, type UsersSearch } from './users-search.ts';

export function UsersScreen() {
  const { keyword, sort, page, size, user, tab, show } = readUsersSearch(
    useSearch({ strict: false }),
  );
  const navigate = useNavigate();
  const own = useSession().user;
  const ownId = own?.id;
  const isAdmin = own?.userType === 'Admin';
  const go = (change: Partial<UsersSearch>, replace = false) =>
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, ...change }) as never,
      replace,
    });
  const close = () => go({ user: undefined, tab: undefined, show: undefined });

  const chosen = { active: user ?? null, editing: tab === 'profile' ? (user ?? null) : null };
  const users = useUserList({ keyword, sort, page, size }, chosen, ({ active }) => {
    if (active === null && user !== undefined) close();
  });
  const { query, items, total } = users;
  const stale = query.isPlaceholderData;

  const beyond =
    total !== undefined && !stale && page > lastPage(total, size)
      ? lastPage(total, size)
      : undefined;
  const toLast = useEffectEvent((to: number) => go({ page: to }, true));
  useEffect(() => {
    if (beyond !== undefined) toLast(beyond);
  }, [beyond]);

  /** What the rest of the console shows of oneself. */
  async function refreshOwn(id: number): Promise<void> {
    if (id === ownId) refreshUser(await callApi(meEndpoint));
  }

  return (
    <>
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
              <Button icon={<Icon of={KeyOutlined} />} onClick={() => go({ show: 'keys' })}>
                API keys
              </Button>
              <Button
                look="primary"
                icon={<Icon of={PlusOutlined} />}
                onClick={() => go({ show: 'new' })}
              >
                New user
              </Button>
            </>
          )
        }
      />
      <div className={styles['screen']}>
        <DebouncedInput
          className={styles['search'] ?? ''}
          type="search"
          aria-label="Search users"
          placeholder="Name or e-mail"
          maxLength={255}
          value={keyword}
          onRest={(words) =>
            go({ keyword: words === '' ? undefined : words, page: undefined }, true)
          }
        />
        {items === undefined ? (
          query.error === null ? (
            <Skeleton active title={false} paragraph={{ rows: 8 }} />
          ) : (
            <LoadFailure what="users" failure={query.error} onReload={() => void query.refetch()} />
          )
        ) : items.length === 0 ? (
          <StateDrawing
            state="no-match"
            title="No Data Found."
            action={
              <Button onClick={() => go({ keyword: undefined, page: undefined })}>
                Clear the search
              </Button>
            }
          />
        ) : (
          <UserRows
            users={items}
            sort={sort}
            stale={stale}
            openId={user}
            ownId={ownId}
            onSort={(next) => go({ sort: next as UsersSearch['sort'], page: undefined })}
            onOpen={(id) => go({ user: id })}
          />
        )}
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
        isSelf={users.active?.id === ownId}
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
      <SideDrawer title="New user" open={show === 'new'} onClose={close}>
        <UserForm
          onSave={async (draft) => {
            const { name, email } = await users.save(draft);
            close();
            toast.success(
              draft.password === undefined
                ? `${name} is created. An invitation is on its way to ${email}.`
                : `${name} is created.`,
            );
          }}
        >
          <Button onClick={close}>Cancel</Button>
        </UserForm>
      </SideDrawer>
      <SideDrawer title="All API keys" open={show === 'keys'} onClose={close}>
        <ApiKeyList
          withOwner
          queryKey={queryKeys.apiKeys.everyone()}
          load={(signal) => callApi(apiKeysEndpoint, { signal })}
          end={(id) => callApi(endApiKeyEndpoint, { params: { id: String(id) } })}
        />
      </SideDrawer>
    </>
  );
}

interface SideDrawerProps {
  readonly title: string;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

function SideDrawer({ title, open, onClose, children }: SideDrawerProps) {
  const narrow = useNarrow();
  return (
    <Drawer
      title={title}
      open={open}
      onClose={onClose}
      size={narrow ? '100%' : sizes.drawer}
      mask={{ closable: false }}
      destroyOnHidden
    >
      {children}
    </Drawer>
  );
}
