/** The sources that cannot be relied on to be new: which they are, and why. */
import { type Freshness, freshnessOf } from '@patch/contract/source-freshness.ts';
import type { SourceState } from '@patch/contract/sync-endpoints.ts';
import { Link } from '@tanstack/react-router';
import { FreshnessWord } from '../../releases/freshness-word.tsx';
import { runSearch, syncPath } from '../../widgets/list-paths.ts';
import { useNow } from '../../widgets/ticking-clock.ts';
import { SourceMark } from '../../widgets/vendor-mark.tsx';
import { freshnessText } from './freshness-text.ts';
import styles from './sources-to-look-into.module.css';

export function SourcesToLookInto({ sources }: { readonly sources: readonly SourceState[] }) {
  const now = useNow();
  const of = (...among: readonly Freshness[]) =>
    sources.filter((source) => among.includes(freshnessOf(source, now)));
  // What was read and is not new any longer comes first: people rely on that.
  const read = [...of('stale'), ...of('silent')];
  const never = of('never');
  if (read.length + never.length === 0)
    return <p className={styles['none']}>{freshnessText(sources, now)}.</p>;
  return (
    <>
      <ul className={styles['sources']} aria-label="Sources that are stale or silent">
        {read.map((source) => (
          <li key={source.source} className={styles['source']}>
            <SourceMark of={source.source} size={16} />
            <SourceLink source={source} />
            <span className={styles['state']}>
              <FreshnessWord state={source} />
            </span>
          </li>
        ))}
      </ul>
      {never.length > 0 && (
        <p className={styles['never']}>
          Never synced:{' '}
          {never.map((source, index) => (
            <span key={source.source}>
              {index > 0 && ', '}
              <SourceLink source={source} />
            </span>
          ))}
        </p>
      )}
    </>
  );
}

const SourceLink = ({ source }: { readonly source: SourceState }) => (
  <Link to={syncPath} search={runSearch(source.source, source.run?.id)}>
    {source.label}
  </Link>
);
