/** Placeholder of a page that takes longer than 400 ms to load. */

import styles from './page-loading.module.css';
import { Spinner } from './spinner.tsx';

export function PageLoading() {
  return (
    <div className={styles['loading']} role="status">
      <Spinner />
      <span className="visually-hidden">Loading the page</span>
    </div>
  );
}
