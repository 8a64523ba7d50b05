/** Lines where words will be, while they are fetched. What they stand for says that it is busy; the lines say nothing. */
import styles from './skeleton.module.css';

interface SkeletonProps {
  /** How many lines of words; the last one is shorter. */
  readonly rows: number;
  /** With a heading over them. */
  readonly headed?: boolean;
  readonly className?: string | undefined;
}

export function Skeleton({ rows, headed = false, className = '' }: SkeletonProps) {
  return (
    <div className={`${styles['skeleton']} ${className}`} aria-hidden="true">
      {headed && <span className={styles['heading']} />}
      {Array.from({ length: rows }, (_, row) => (
        // They are never told apart.
        // oxlint-disable-next-line react/no-array-index-key
        <span key={row} className={styles['line']} />
      ))}
    </div>
  );
}
