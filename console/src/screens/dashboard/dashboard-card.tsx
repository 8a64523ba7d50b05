/** A titled section of the dashboard. */
import { type ReactNode, useId } from 'react';
import styles from './dashboard-card.module.css';

interface DashboardCardProps {
  readonly title: string;
  /** Spans two of the three columns. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}

export function DashboardCard({ title, wide = false, children }: DashboardCardProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles['card']} data-wide={wide || undefined}>
      <h2 id={id} className={styles['title']}>
        {title}
      </h2>
      {children}
    </section>
  );
}
