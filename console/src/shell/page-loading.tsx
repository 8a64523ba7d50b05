/** A page on its way: shown only when it takes longer than 400 ms. */
import { Wheel } from '../widgets/wheel.tsx';
import styles from './page-loading.module.css';

export function PageLoading() {
  return (
    <div className={styles['loading']} role="status">
      <Wheel />
      <span className="visually-hidden">Loading the page</span>
    </div>
  );
}
