/** A list of the things of one kind, such as API keys, with what each is and an action. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '../widgets/button.tsx';
import styles from '../widgets/row-list.module.css';
import { Loaded } from './loaded.tsx';

interface ResourceRowsProps<Item extends { readonly id: number }> {
  readonly label: string;
  readonly items: readonly Item[];
  readonly action: (item: Item) => ReactNode;
  readonly children: (item: Item) => ReactNode;
}

export function ResourceRows<Item extends { readonly id: number }>({
  label,
  items,
  action,
  children,
}: ResourceRowsProps<Item>) {
  return (
    <ul className={styles['list']} aria-label={label}>
      {items.map((item) => (
        <li key={item.id} className={styles['row']}>
          <div className={styles['words']}>{children(item)}</div>
          {action(item)}
        </li>
      ))}
    </ul>
  );
}

interface ResourceListProps<Item extends { readonly id: number }>
  extends Omit<ResourceRowsProps<Item>, 'items'> {
  readonly query: UseQueryResult<readonly Item[]>;
  /** Noun for the message when the list cannot be loaded. */
  readonly what: string;
  readonly empty: string;
}

/** The rows of a query, or the sentence `empty`. */
export function ResourceList<Item extends { readonly id: number }>({
  query,
  what,
  empty,
  ...rows
}: ResourceListProps<Item>) {
  return (
    <Loaded query={query} what={what} rows={4}>
      {(items) =>
        items.length === 0 ? (
          <p className={styles['quiet']}>{empty}</p>
        ) : (
          <ResourceRows items={items} {...rows} />
        )
      }
    </Loaded>
  );
}

interface RowButtonProps {
  readonly label: string;
  /** Names the thing to screen readers, such as 'the API key nightly'. */
  readonly object: string;
  readonly loading?: boolean;
  readonly onClick: () => void;
}

export const RowButton = ({ label, object, ...button }: RowButtonProps) => (
  <Button small {...button}>
    {label}
    <span className="visually-hidden"> {object}</span>
  </Button>
);
