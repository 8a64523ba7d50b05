/** Labelled entry of the card at the top of a record. */
import type { ReactNode } from 'react';
import styles from './record-card.module.css';

interface AnswerProps {
  readonly label: string;
  readonly children: ReactNode;
}

export function Answer({ label, children }: AnswerProps) {
  return (
    <div className={`${styles['answer']} grid gap-x-4 min-w-0`}>
      <dt className="text-quiet">{label}</dt>
      <dd className="min-w-0 m-0 break-anywhere">{children}</dd>
    </div>
  );
}
