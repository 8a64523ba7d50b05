/** A titled section of the dashboard. */
import { type ReactNode, useId } from 'react';
import styles from './dashboard-card.module.css';

interface DashboardCardProps {
  readonly title: string;
  readonly children: ReactNode;
}

export function DashboardCard({ title, children }: DashboardCardProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles['card']}>
      <h2 id={id} className={styles['title']}>
        {title}
      </h2>
      {children}
    </section>
  );
}
