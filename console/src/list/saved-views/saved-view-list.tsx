/** Saved views in their menu, with buttons for default, alert, sharing and removal. */
import {
  BellFilled,
  BellOutlined,
  DeleteOutlined,
  StarFilled,
  StarOutlined,
  TeamOutlined,
} from '@ant-design/icons-svg';
import type { SavedView } from '@patch/contract/saved-view-endpoints.ts';
import { Button } from '../../widgets/button.tsx';
import { Icon } from '../../widgets/icon.tsx';
import styles from './saved-views-menu.module.css';
import type { SavedViews } from './use-saved-views.ts';
import { useViewAlerts } from './use-view-alerts.ts';

interface SavedViewListProps {
  readonly saved: SavedViews;
  readonly opened: SavedView | undefined;
  readonly onAlert: (view: SavedView) => void;
  /** Null opens the list without a view. */
  readonly onOpen: (view: SavedView | null) => void;
}

export function SavedViewList({ saved, opened, onAlert, onOpen }: SavedViewListProps) {
  const { findAlert } = useViewAlerts();
  const { views = [], change, remove } = saved;
  return (
    <ul className={styles['views']}>
      <li className={styles['view']}>
        <button
          type="button"
          className={styles['name']}
          aria-current={opened === undefined}
          onClick={() => onOpen(null)}
        >
          All records
        </button>
      </li>
      {views.map((view) => (
        <ViewLine
          key={view.id}
          view={view}
          current={view.id === opened?.id}
          onOpen={() => onOpen(view)}
          onDefault={() => change.mutate({ id: view.id, isDefault: !view.isDefault })}
          onShare={() => change.mutate({ id: view.id, shared: !view.shared })}
          onRemove={() => void remove(view)}
          hasAlert={findAlert(view.id) !== undefined}
          onAlert={() => onAlert(view)}
        />
      ))}
    </ul>
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
