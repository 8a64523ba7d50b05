/** The user's Atom feeds of a list, with a button to revoke each. */
import { Button } from '../../widgets/button.tsx';
import { LoadFailure } from '../../widgets/load-failure.tsx';
import rows from '../../widgets/row-list.module.css';
import { Skeleton } from '../../widgets/skeleton.tsx';
import { TimeAgo } from '../../widgets/time-ago.tsx';
import styles from './subscribe-dialog.module.css';
import { type AtomFeeds, feedName } from './use-atom-feeds.ts';

export function AtomFeedList({ feeds: { query, ofList, revoke } }: { readonly feeds: AtomFeeds }) {
  if (query.isPending) return <Skeleton rows={2} />;
  if (query.data === undefined)
    return <LoadFailure what="feeds" failure={query.error} onReload={() => void query.refetch()} />;
  if (ofList.length === 0) return null;
  return (
    <>
      <h2 className={styles['heading']}>Your feed addresses</h2>
      <ul className={rows['list']} aria-label="Your feed addresses">
        {ofList.map((feed) => (
          <li key={feed.id} className={rows['row']}>
            <div className={rows['words']}>
              Feed of {feedName(feed)}
              <p className={rows['quiet']}>
                created <TimeAgo value={feed.createdAt} /> ·{' '}
                {feed.lastReadAt === null ? (
                  'not read yet'
                ) : (
                  <>
                    read <TimeAgo value={feed.lastReadAt} />
                  </>
                )}
              </p>
            </div>
            <Button small onClick={() => void revoke(feed)}>
              Revoke<span className="visually-hidden"> the feed address of {feedName(feed)}</span>
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
