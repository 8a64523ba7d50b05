/** Says of machines without counts that they are being judged, and since when once that takes longer than it should. */
import { useNow } from '../widgets/ticking-clock.ts';
import { TimeAgo } from '../widgets/time-ago.tsx';

/** A round begins within seconds of a report, and takes minutes for the largest fleets. */
const longAfterMs = 10 * 60_000;

/** @param since When the first of the machines was first reported. */
export function BeingJudged({ since }: { readonly since: number | null }) {
  const now = useNow();
  if (since === null || now - since < longAfterMs) return <>being judged</>;
  return (
    <>
      waiting to be judged, reported <TimeAgo value={since} />
    </>
  );
}
