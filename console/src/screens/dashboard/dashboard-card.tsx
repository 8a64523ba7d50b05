/** A titled section of the dashboard. */
import { type ReactNode, useId } from 'react';

interface DashboardCardProps {
  readonly title: string;
  readonly children: ReactNode;
}

export function DashboardCard({ title, children }: DashboardCardProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0 p-4 border rounded bg-surface">
      <h2 id={id} className="mb-3 text-lead font-600">
        {title}
      </h2>
      {children}
    </section>
  );
}
