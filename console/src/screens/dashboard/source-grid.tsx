/** Every source in one line, problems first. Sources that nobody has synced are listed once, at the end. */
import type { SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import { Link } from '@tanstack/react-router';
import { rankSource, SourceWord } from '../../runs/state-word.tsx';
import { runSearch, syncPath } from '../../widgets/list-paths.ts';
import { useNow } from '../../widgets/ticking-clock.ts';
import { TimeAgo } from '../../widgets/time-ago.tsx';
import { SourceMark } from '../../widgets/vendor-mark.tsx';
import styles from './source-grid.module.css';

export function SourceGrid({ sources }: { readonly sources: readonly SourceState[] }) {
  const now = useNow();
  const used = sources.filter(({ available, enabled }) => available && enabled);
  const untouched = used.filter((source) => source.lastSuccessAt === null && source.run === null);
  const shown = used
    .filter((source) => !untouched.includes(source))
    .toSorted((a, b) => rankSource(a, now) - rankSource(b, now));
  return (
    <>
      <ul className={`${styles['sources']} grid plain-list text-dense`}>
        {shown.map((source) => (
          <li
            key={source.source}
            className={`${styles['source']} flex items-center gap-2 min-w-0 border-t`}
          >
            <SourceMark of={source.source} size={16} />
            <SourceLink source={source} />
            <span className={styles['state']}>
              {source.quarantine.length > 0 ? (
                'Needs a decision'
              ) : (
                <SourceWord state={source} isShort />
              )}
            </span>
            <span className={`${styles['time']} flex-none text-quiet text-small`}>
              {source.lastSuccessAt === null ? (
                'No success yet'
              ) : (
                <TimeAgo value={source.lastSuccessAt} />
              )}
            </span>
          </li>
        ))}
      </ul>
      {untouched.length > 0 && (
        <p className={`${styles['untouched']} mt-2 text-quiet text-dense`}>
          Not synced yet:{' '}
          {untouched.map((source, index) => (
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
  <Link to={syncPath} search={runSearch(source.source, source.run?.id)} className={styles['name']}>
    {source.label}
  </Link>
);
