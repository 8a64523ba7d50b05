/** Labelled entry of the card at the top of a record. */
import type { ReactNode } from 'react';
import styles from './record-card.module.css';

interface AnswerProps {
  readonly label: string;
  readonly children: ReactNode;
}

export function Answer({ label, children }: AnswerProps) {
  return (
    <div className={styles['answer']}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
