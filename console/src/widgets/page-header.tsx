/** Heading of a screen: back link, title, text beside the title, actions. */

import { ArrowLeftOutlined } from '@ant-design/icons-svg';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import styles from './page-header.module.css';

export interface PageHeaderProps {
  readonly title: ReactNode;
  /** Shown before the title, such as a vendor's mark. */
  readonly mark?: ReactNode;
  /** Back link: { to: '/patch-repository/kb-base', label: 'KB base' }. */
  readonly back?: { readonly to: string; readonly label: string };
  /** Shown in a quieter style beside the title, such as the total. */
  readonly beside?: ReactNode;
  readonly actions?: ReactNode;
  readonly divider?: boolean;
}

/** Id of the title, which the layout focuses when the page changes. */
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
