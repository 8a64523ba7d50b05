/** Saved views in their menu, with buttons for default, alert, sharing and removal. */
import {
  BellFilled,
  BellOutlined,
  DeleteOutlined,
  StarFilled,
  StarOutlined,
  TeamOutlined,
} from '@ant-design/icons-svg';
import type { SavedView } from '@patch/contract/records/saved-view-endpoints.ts';
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

export function SavedViewList({ opened, ...props }: SavedViewListProps) {
  const { findAlert } = useViewAlerts();
  const { views = [] } = props.saved;
  return (
    <ul className={styles['views']}>
      <li className={styles['view']}>
        <button
          type="button"
          className={styles['name']}
          aria-current={opened === undefined}
          onClick={() => props.onOpen(null)}
        >
          All records
        </button>
      </li>
      {views.map((view) => (
        <ViewLine
          key={view.id}
          view={view}
          isOpen={view.id === opened?.id}
          hasAlert={findAlert(view.id) !== undefined}
          {...props}
        />
      ))}
    </ul>
  );
}

interface ViewLineProps extends Omit<SavedViewListProps, 'opened'> {
  readonly view: SavedView;
  readonly isOpen: boolean;
  readonly hasAlert: boolean;
}

function ViewLine({ view, isOpen, hasAlert, saved, onAlert, onOpen }: ViewLineProps) {
  const { id, name, shared, ownerName, mayChange, isDefault } = view;
  const { change, remove } = saved;
  return (
    <li className={styles['view']}>
      <button
        type="button"
        className={styles['name']}
        aria-current={isOpen}
        onClick={() => onOpen(view)}
      >
        <span className={styles['cut']}>{name}</span>
        {shared ? <span className={styles['owner']}>shared by {ownerName}</span> : null}
      </button>
      <Button
        data-tip={
          isDefault
            ? `'${name}' opens by default; click to open all records instead`
            : `Open '${name}' by default`
        }
        look="quiet"
        small
        aria-label={`Open '${name}' by default`}
        aria-pressed={isDefault}
        icon={<Icon of={isDefault ? StarFilled : StarOutlined} />}
        onClick={() => change.mutate({ id, isDefault: !isDefault })}
      />
      <Button
        data-tip={hasAlert ? 'You are emailed about new records' : 'Email me about new records'}
        look="quiet"
        small
        aria-label={`Alert for '${name}'`}
        aria-pressed={hasAlert}
        icon={<Icon of={hasAlert ? BellFilled : BellOutlined} />}
        className={hasAlert ? styles['on'] : undefined}
        onClick={() => onAlert(view)}
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
            className={shared ? styles['on'] : undefined}
            onClick={() => change.mutate({ id, shared: !shared })}
          />
          <Button
            look="quiet"
            small
            aria-label={`Remove '${name}'`}
            icon={<Icon of={DeleteOutlined} />}
            onClick={() => void remove(view)}
          />
        </>
      ) : null}
    </li>
  );
}
