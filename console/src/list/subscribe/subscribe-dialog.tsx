/** Dialog with the ways to follow a list: an Atom feed of the vendor or of the open view, and the view's alert. */
import { sourceLabels } from '@patch/catalogue/sources.ts';
import type { SavedView } from '@patch/contract/records/saved-view-endpoints.ts';
import { hasAtomFeeds } from '@patch/contract/reports/atom-feed-endpoints.ts';
import { Modal } from 'antd';
import { type ReactNode, useState } from 'react';
import { Button } from '../../widgets/button.tsx';
import { LoadFailure } from '../../widgets/load-failure.tsx';
import rows from '../../widgets/row-list.module.css';
import { SecretOnce } from '../../widgets/secret-once.tsx';
import { Skeleton } from '../../widgets/skeleton.tsx';
import { TimeAgo } from '../../widgets/time-ago.tsx';
import { useReturnFocus } from '../../widgets/use-return-focus.ts';
import type { ListModel } from '../model/use-list-model.ts';
import { SavedViewAlert } from '../saved-views/alert-dialog.tsx';
import { SaveViewDialog } from '../saved-views/save-view-dialog.tsx';
import { isSameSearch, useSavedViews } from '../saved-views/use-saved-views.ts';
import styles from './subscribe-dialog.module.css';
import { type AtomFeeds, type FeedTarget, feedName, useAtomFeeds } from './use-atom-feeds.ts';

interface SubscribeDialogProps {
  readonly model: ListModel;
  readonly onClose: () => void;
}

export function SubscribeDialog({ model, onClose }: SubscribeDialogProps) {
  useReturnFocus();
  const { list, state } = model;
  const [step, setStep] = useState<'ways' | 'save' | 'alert'>('ways');
  const saved = useSavedViews(list);
  const search = model.viewSearch();
  const opened = saved.views?.find(({ id }) => id === state.view);
  const view = opened !== undefined && isSameSearch(opened.search, search) ? opened : undefined;
  if (step === 'alert' && view !== undefined)
    return <SavedViewAlert view={view} onClose={onClose} />;
  if (step === 'save')
    return (
      <SaveViewDialog
        open
        busy={saved.create.isPending}
        onCancel={() => setStep('ways')}
        onSave={(details) =>
          saved.create.mutateAsync({ ...details, search }).then((created) => {
            model.openView(created);
            setStep('ways');
          })
        }
      />
    );
  return (
    <Modal
      open
      width={560}
      title={`Subscribe to ${list.label}`}
      footer={null}
      mask={{ closable: false }}
      onCancel={onClose}
    >
      <Ways
        model={model}
        view={view}
        onAlert={() => setStep('alert')}
        onSave={() => setStep('save')}
      />
    </Modal>
  );
}

interface WaysProps {
  readonly model: ListModel;
  /** Undefined while the search is not that of a view. */
  readonly view: SavedView | undefined;
  readonly onAlert: () => void;
  readonly onSave: () => void;
}

function Ways({ model: { list, narrowed }, view, onAlert, onSave }: WaysProps) {
  const feeds = useAtomFeeds(list);
  const [created, setCreated] = useState<{ readonly of: string; readonly address: string }>();
  const create = (target: FeedTarget, of: string) =>
    feeds.create.mutate(target, {
      onSuccess: ({ secretAddress }) => setCreated({ of, address: secretAddress }),
    });
  const feedButton = (target: FeedTarget, of: string) =>
    hasAtomFeeds(list) && (
      <Button loading={feeds.create.isPending} onClick={() => create(target, of)}>
        Atom feed<span className="visually-hidden"> of {of}</span>
      </Button>
    );
  return (
    <>
      {created === undefined ? null : <NewAddress key={created.address} {...created} />}
      {view === undefined ? (
        <Way
          title={narrowed ? 'This search' : 'This list'}
          words="Save it as a view, which can have an alert, by email or in a channel, and a feed."
        >
          <Button onClick={onSave}>Save view…</Button>
        </Way>
      ) : (
        <Way title={`The view ‘${view.name}’`} words="An alert reports new records.">
          <Button onClick={onAlert}>Alert…</Button>
          {feedButton({ view: view.id }, `the view ${view.name}`)}
        </Way>
      )}
      {list.source === null ? null : (
        <Way
          title={`Everything of ${sourceLabels[list.source]}`}
          words="New, changed and withdrawn records of the vendor."
        >
          {feedButton({ source: list.source }, sourceLabels[list.source])}
        </Way>
      )}
      {hasAtomFeeds(list) ? <AtomFeedList feeds={feeds} /> : null}
    </>
  );
}

interface WayProps {
  readonly title: string;
  readonly words: string;
  readonly children: ReactNode;
}

function Way({ title, words, children }: WayProps) {
  return (
    <section
      className={`${styles['way']} flex flex-wrap items-center gap-y-2 gap-x-4 py-3 border-b`}
      aria-label={title}
    >
      <div>
        <h2 className="text-body font-600">{title}</h2>
        <p className="text-quiet text-dense">{words}</p>
      </div>
      <div className="flex flex-wrap gap-2">{children}</div>
    </section>
  );
}

function NewAddress({ of, address }: { readonly of: string; readonly address: string }) {
  return (
    <div className="mb-2">
      <SecretOnce
        secret={address}
        what="feed address"
        title={`Copy the address of the feed of ${of} now: it is not shown again.`}
        description="Whoever has it can read the feed until it is revoked."
      />
    </div>
  );
}

/** The user's Atom feeds of a list, with a button to revoke each. */
function AtomFeedList({ feeds: { query, ofList, revoke } }: { readonly feeds: AtomFeeds }) {
  if (query.isPending) return <Skeleton rows={2} />;
  if (query.data === undefined)
    return <LoadFailure what="feeds" failure={query.error} onReload={() => void query.refetch()} />;
  if (ofList.length === 0) return null;
  return (
    <>
      <h2 className="mt-5 text-body font-600">Your feed addresses</h2>
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
