/** A screen's heading: an optional way back, the title (which takes the focus when the page changes), words beside it, actions at the right. */

import { ArrowLeftOutlined } from '@ant-design/icons-svg';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import styles from './page-header.module.css';

export interface PageHeaderProps {
  readonly title: ReactNode;
  /** Before the title: a vendor's mark. */
  readonly mark?: ReactNode;
  /** Path and words of the way back: { to: '/patch-repository/kb-base', label: 'KB base' }. */
  readonly back?: { readonly to: string; readonly label: string };
  /** Beside the title, quieter: the total, the freshness. */
  readonly beside?: ReactNode;
  readonly actions?: ReactNode;
  readonly divider?: boolean;
}

/** The layout moves the focus here after a change of page. */
export const headingId = 'page-heading';

export function PageHeader({
  title,
  mark,
  back,
  beside,
  actions,
  divider = false,
}: PageHeaderProps) {
  return (
    <header className={styles['header']} data-divider={divider || undefined}>
      {back === undefined ? null : (
        <Link to={back.to} className={styles['back']}>
          <Icon of={ArrowLeftOutlined} /> {back.label}
        </Link>
      )}
      <div className={styles['line']}>
        <div className={styles['words']}>
          {mark}
          <h1 id={headingId} tabIndex={-1} className={styles['title']}>
            {title}
          </h1>
          {beside === undefined ? null : <div className={styles['beside']}>{beside}</div>}
        </div>
        {actions === undefined ? null : <div className={styles['actions']}>{actions}</div>}
      </div>
    </header>
  );
}
