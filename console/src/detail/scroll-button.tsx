/** Scrolls to another part of the record without changing the address, so that going back leaves the record. */
import type { ReactNode } from 'react';
import styles from './scroll-button.module.css';

interface ScrollButtonProps {
  /** Id of the element. */
  readonly to: string;
  readonly children: ReactNode;
}

export function ScrollButton({ to, children }: ScrollButtonProps) {
  return (
    <button
      type="button"
      className={styles['button']}
      onClick={() => document.getElementById(to)?.scrollIntoView()}
    >
      {children}
    </button>
  );
}

/** Returns the HTML id of a record's table. */
export const buildSectionId = (record: number, table: string): string =>
  `record-${record}-${table}`;
