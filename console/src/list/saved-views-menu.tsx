/** The saved views of a list: opening one, saving what is shown under a name, sharing, the own default, the own alert. */

import {
  BellFilled,
  BellOutlined,
  DeleteOutlined,
  DownOutlined,
  StarFilled,
  StarOutlined,
  TeamOutlined,
} from '@ant-design/icons-svg';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { SavedView, ViewSearch } from '@patch/contract/saved-view-endpoints.ts';
import { useState } from 'react';
import { Button } from '../widgets/button.tsx';
import { Icon } from '../widgets/icon.tsx';
import { lazyAntd } from '../widgets/lazy-antd.tsx';
import { Popover } from '../widgets/popover.tsx';
import { useHasBeen } from '../widgets/use-has-been.ts';
import styles from './saved-views-menu.module.css';
import { isSameSearch, useSavedViews } from './use-saved-views.ts';
import { useViewAlerts } from './use-view-alerts.ts';

const SaveViewDialog = lazyAntd(() => import('./save-view-dialog.tsx'), 'SaveViewDialog');
const AlertDialog = lazyAntd(() => import('./alert-dialog.tsx'), 'AlertDialog');

interface SavedViewsMenuProps {
  readonly list: ListDefinition;
  /** What the list shows now, as a view would keep it. */
  readonly shown: ViewSearch;
  /** The view that was opened last, whatever was changed since. */
  readonly openView: number | undefined;
  /** Null: the list's own, without any view. */
  readonly onOpen: (view: SavedView | null) => void;
}

export function SavedViewsMenu({ list, shown, openView, onOpen }: SavedViewsMenuProps) {
  const [open, setOpen] = useState(false);
  const [saving, setSaving] = useState(false);
  const saved = useHasBeen(saving);
  const [alerting, setAlerting] = useState<SavedView | null>(null);
  const { asked, alertOf, mailMissing, set, end } = useViewAlerts({
    wanted: open || alerting !== null,
  });
  const { views = [], create, change, remove } = useSavedViews(list);
  const opened = views.find(({ id }) => id === openView);
  const modified = opened !== undefined && !isSameSearch(opened.search, shown);

  function choose(view: SavedView | null): void {
    setOpen(false);
    onOpen(view);
  }

  return (
    <>
      <Popover
        open={open}
        onClose={() => setOpen(false)}
        label="Views"
        content={
          <div className={styles['menu']}>
            <ul className={styles['views']}>
              <li className={styles['view']}>
                <button
                  type="button"
                  className={styles['name']}
                  aria-current={opened === undefined}
                  onClick={() => choose(null)}
                >
                  All records
                </button>
              </li>
              {views.map((view) => (
                <ViewLine
                  key={view.id}
                  view={view}
                  current={view.id === openView}
                  onOpen={() => choose(view)}
                  onDefault={() => change.mutate({ id: view.id, isDefault: !view.isDefault })}
                  onShare={() => change.mutate({ id: view.id, shared: !view.shared })}
                  onRemove={() => void remove(view)}
                  hasAlert={alertOf(view.id) !== undefined}
                  onAlert={() => {
                    setOpen(false);
                    setAlerting(view);
                  }}
                />
              ))}
            </ul>
            <div className={styles['foot']}>
              {modified && opened.mayChange ? (
                <Button small onClick={() => change.mutate({ id: opened.id, search: shown })}>
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
      {saved ? (
        <SaveViewDialog
          open={saving}
          busy={create.isPending}
          onCancel={() => setSaving(false)}
          onSave={(view) =>
            create.mutateAsync({ ...view, search: shown }).then((created) => {
              setSaving(false);
              onOpen(created);
            })
          }
        />
      ) : null}
      {alerting === null || !asked ? null : (
        <AlertDialog
          key={alerting.id}
          view={alerting}
          alert={alertOf(alerting.id)}
          mailMissing={mailMissing}
          onSet={(setting) => set.mutateAsync({ view: alerting.id, setting })}
          onEnd={() => end.mutateAsync(alerting.id)}
          onClose={() => setAlerting(null)}
        />
      )}
    </>
  );
}

interface ViewLineProps {
  readonly view: SavedView;
  readonly current: boolean;
  readonly onOpen: () => void;
  readonly onDefault: () => void;
  readonly onShare: () => void;
  readonly onRemove: () => void;
  readonly hasAlert: boolean;
  readonly onAlert: () => void;
}

function ViewLine({
  view,
  current,
  onOpen,
  onDefault,
  onShare,
  onRemove,
  hasAlert,
  onAlert,
}: ViewLineProps) {
  const { name, shared, ownerName, mayChange, isDefault } = view;
  const byDefault = isDefault
    ? `'${name}' opens by default; click to open all records instead`
    : `Open '${name}' by default`;
  return (
    <li className={styles['view']}>
      <button type="button" className={styles['name']} aria-current={current} onClick={onOpen}>
        <span className={styles['cut']}>{name}</span>
        {shared ? <span className={styles['owner']}>shared by {ownerName}</span> : null}
      </button>
      <Button
        data-tip={byDefault}
        look="quiet"
        small
        aria-label={`Open '${name}' by default`}
        aria-pressed={isDefault}
        icon={isDefault ? <Icon of={StarFilled} /> : <Icon of={StarOutlined} />}
        onClick={onDefault}
      />
      <Button
        data-tip={hasAlert ? 'You are emailed about new records' : 'Email me about new records'}
        look="quiet"
        small
        aria-label={`Alert for '${name}'`}
        aria-pressed={hasAlert}
        icon={hasAlert ? <Icon of={BellFilled} /> : <Icon of={BellOutlined} />}
        className={hasAlert ? (styles['on'] ?? '') : ''}
        onClick={onAlert}
      />
      {mayChange ? (
        <>
          <Button
            data-tip={shared ? 'Shared with everyone' : 'Private'}
            look="quiet"
            small
            aria-label={`Share '${name}'`}
            aria-pressed={shared}
            icon={<Icon of={TeamOutlined} />}
            className={shared ? (styles['on'] ?? '') : ''}
            onClick={onShare}
          />
          <Button
            look="quiet"
            small
            aria-label={`Remove '${name}'`}
            icon={<Icon of={DeleteOutlined} />}
            onClick={onRemove}
          />
        </>
      ) : null}
    </li>
  );
}
