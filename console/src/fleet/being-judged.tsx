/** Says of machines without counts that they are being judged, and since when once that takes longer than it should. */
import { useNow } from '../widgets/ticking-clock.ts';
import { TimeAgo } from '../widgets/time-ago.tsx';
import { agoText } from '../widgets/time-text.ts';
import styles from './fleet.module.css';

/** A round begins within seconds of a report, and takes minutes for the largest fleets. */
const longAfterMs = 10 * 60_000;

const isLate = (since: number | null, now: number): since is number =>
  since !== null && now - since >= longAfterMs;

/** @param since When the first of the machines was first reported. */
export function BeingJudged({ since }: { readonly since: number | null }) {
  const now = useNow();
  if (!isLate(since, now)) return <>being judged</>;
  return (
    <>
      waiting to be judged, reported <TimeAgo value={since} />
    </>
  );
}

interface NoCountsProps {
  readonly reportedOn: number | null;
  /** False: the catalogue does not have the machine's release. */
  readonly isBeingJudged: boolean;
}

/** Stands in a cell for the counts of a machine, because a dash would read as nothing missing. */
export function NoCounts({ reportedOn, isBeingJudged }: NoCountsProps) {
  const now = useNow();
  if (!isBeingJudged) return <span className={styles['noCounts']}>not judged</span>;
  if (!isLate(reportedOn, now)) return <span className={styles['noCounts']}>being judged</span>;
  return (
    <span
      className={styles['noCounts']}
      data-tip={`Waiting to be judged, reported ${agoText(reportedOn, now)}`}
    >
      waiting
    </span>
  );
}
