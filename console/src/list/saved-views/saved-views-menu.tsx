/** Menu of saved views: open, save, share, default, alert. */
import { DownOutlined } from '@ant-design/icons-svg';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { SavedView, ViewSearch } from '@patch/contract/records/saved-view-endpoints.ts';
import { useState } from 'react';
import { importChunk } from '../../theme/chunk-in-time.ts';
import { Button } from '../../widgets/button.tsx';
import { Icon } from '../../widgets/icon.tsx';
import { lazyAntd } from '../../widgets/lazy-antd.tsx';
import { lazyComponent } from '../../widgets/lazy-part.tsx';
import { Popover } from '../../widgets/popover.tsx';
import { useHasBeen } from '../../widgets/use-has-been.ts';
import styles from './saved-views-menu.module.css';
import { isSameSearch, useSavedViews } from './use-saved-views.ts';

/** Suspends the popover. */
const SavedViewList = lazyComponent(
  async () => (await importChunk(() => import('./saved-view-list.tsx'))).SavedViewList,
);
const SaveViewDialog = lazyAntd(() => import('./save-view-dialog.tsx'), 'SaveViewDialog');
const SavedViewAlert = lazyAntd(() => import('./alert-dialog.tsx'), 'SavedViewAlert');

interface SavedViewsMenuProps {
  readonly list: ListDefinition;
  /** Current search in the form of a view. */
  readonly shown: ViewSearch;
  /** Id of the view that was opened last, regardless of later changes. */
  readonly openView: number | undefined;
  /** Null opens the list without a view. */
  readonly onOpen: (view: SavedView | null) => void;
}

export function SavedViewsMenu({ list, shown, openView, onOpen }: SavedViewsMenuProps) {
  const [open, setOpen] = useState(false);
  const [saving, setSaving] = useState(false);
  // The dialog is loaded when it is first opened.
  const hasSaved = useHasBeen(saving);
  const [alerting, setAlerting] = useState<SavedView | null>(null);
  const saved = useSavedViews(list);
  const opened = saved.views?.find(({ id }) => id === openView);
  const modified = opened !== undefined && !isSameSearch(opened.search, shown);
  return (
    <>
      <Popover
        open={open}
        onClose={() => setOpen(false)}
        label="Views"
        content={
          <div className={styles['menu']}>
            <SavedViewList
              saved={saved}
              opened={opened}
              onAlert={(view) => {
                setOpen(false);
                setAlerting(view);
              }}
              onOpen={(view) => {
                setOpen(false);
                onOpen(view);
              }}
            />
            <div className={styles['foot']}>
              {modified && opened.mayChange ? (
                <Button small onClick={() => saved.change.mutate({ id: opened.id, search: shown })}>
                  Update ‘{opened.name}’
                </Button>
              ) : null}
              <Button
                small
                look="primary"
                onClick={() => {
                  setOpen(false);
                  setSaving(true);
                }}
              >
                Save view…
              </Button>
            </div>
          </div>
        }
      >
        <Button
          look="quiet"
          aria-label="Views"
          aria-haspopup="dialog"
          aria-expanded={open}
          className={styles['button']}
          onClick={() => setOpen(!open)}
        >
          <span className={styles['current']}>{opened?.name ?? 'Views'}</span>
          {modified ? <span className={styles['modified']}>changed</span> : null}
          <Icon of={DownOutlined} />
        </Button>
      </Popover>
      {hasSaved ? (
        <SaveViewDialog
          open={saving}
          busy={saved.create.isPending}
          onCancel={() => setSaving(false)}
          onSave={async (view) => {
            const created = await saved.create.mutateAsync({ ...view, search: shown });
            setSaving(false);
            onOpen(created);
          }}
        />
      ) : null}
      {alerting === null ? null : (
        <SavedViewAlert view={alerting} onClose={() => setAlerting(null)} />
      )}
    </>
  );
}
