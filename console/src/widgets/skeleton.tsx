/** Placeholder lines while text loads. Screen readers skip it: the container is `aria-busy`. */
import styles from './skeleton.module.css';

interface SkeletonProps {
  /** Number of lines; the last is shorter. */
  readonly rows: number;
  /** Adds a heading above the lines. */
  readonly headed?: boolean;
  readonly className?: string | undefined;
}

export function Skeleton({ rows, headed = false, className = '' }: SkeletonProps) {
  return (
    <div className={`${styles['skeleton']} ${className}`} aria-hidden="true">
      {headed && <span className={styles['heading']} />}
      {Array.from({ length: rows }, (_, row) => (
        // The lines have no identity.
        // oxlint-disable-next-line react/no-array-index-key
        <span key={row} className={styles['line']} />
      ))}
    </div>
  );
}
