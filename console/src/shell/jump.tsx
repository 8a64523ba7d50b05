/** An option of the command box. */
import type { ReactNode } from 'react';
import styles from './jump-dialog.module.css';

export interface Jump {
  readonly key: string;
  readonly content: ReactNode;
  readonly run: () => void;
}

export type Go = (path: string, search?: object) => void;

/** Renders a record, or a number of them, that the words find. */
export const renderFound = (mark: ReactNode, identity: string, title: ReactNode, list?: string) => (
  <>
    {mark}
    <span className={styles['identity']}>{identity}</span>
    <span className={styles['title']}>{title}</span>
    {list === undefined ? null : <span className={styles['list']}>{list}</span>}
  </>
);
