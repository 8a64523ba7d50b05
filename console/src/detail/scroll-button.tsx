/** Scrolls to another part of the record without changing the address, so that going back leaves the record. */
import type { ReactNode } from 'react';
import { openSection } from './fold-section.tsx';
import styles from './scroll-button.module.css';

interface ScrollButtonProps {
  /** Id of the element, such as the name of a table. */
  readonly to: string;
  readonly children: ReactNode;
}

export function ScrollButton({ to, children }: ScrollButtonProps) {
  return (
    <button
      type="button"
      className={styles['button']}
      onClick={() => {
        const element = document.getElementById(to);
        if (element !== null) openSection(element);
      }}
    >
      {children}
    </button>
  );
}
