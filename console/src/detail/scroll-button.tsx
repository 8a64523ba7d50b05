/** Brings another part of the record into view. It changes no address: going back leaves the record. */
import type { ReactNode } from 'react';
import styles from './scroll-button.module.css';

interface ScrollButtonProps {
  /** The id of the part. */
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
