/** Routes that create, list and revoke the addresses of Atom feeds. */
import { randomBytes } from 'node:crypto';
import { sha256Hex } from '@patch/catalogue/parsers/sha256.ts';
import { sourceLabels, type VendorSourceKey } from '@patch/catalogue/sources.ts';
import type { SignedInUser } from '@patch/contract/accounts/sign-in-endpoints.ts';
import {
  type AtomFeed,
  atomFeedsEndpoint,
  createSourceFeedEndpoint,
  createViewFeedEndpoint,
  hasAtomFeeds,
  maxAtomFeeds,
  revokeAtomFeedEndpoint,
} from '@patch/contract/reports/atom-feed-endpoints.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import type { AuditedChange, RouteRegistrar } from '../../platform/http/route.ts';
import { getKnownList } from '../../records/preferences/known-list.ts';
import { readVisibleView } from '../../records/preferences/saved-view-store.ts';
import type { RecordsContext } from '../../records/records-context.ts';
import {
  addAtomFeed,
  countAtomFeeds,
  readAtomFeed,
  readAtomFeeds,
  removeAtomFeed,
} from './atom-feed-store.ts';

export function atomFeedRoutes(
  route: RouteRegistrar,
  { database, clock, baseUrl }: Pick<RecordsContext, 'database' | 'clock' | 'baseUrl'>,
): void {
  route(atomFeedsEndpoint, async (request) => {
    const { id, userType } = requireUser(request);
    const objList = [...(await readAtomFeeds(database, userType === 'Admin' ? null : id))];
    return { objList, totalCount: objList.length };
  });

  route(createViewFeedEndpoint, async (request) => {
    const owner = requireUser(request);
    return database.transaction(async (tx) => {
      const view = await readVisibleView(tx, owner, request.params.id);
      if (view === null) throw noSuchView();
      if (!hasAtomFeeds(getKnownList(view.list)))
        throw new AppError(
          'unknown_list',
          'Views of clients and machines have no Atom feed, because its address grants access. Choose a view of patches or vulnerabilities.',
        );
      return create(tx, owner, { viewId: view.id, source: null }, request.changed);
    });
  });

  route(createSourceFeedEndpoint, async (request) => {
    const owner = requireUser(request);
    const target = { viewId: null, source: request.params.source };
    return database.transaction((tx) => create(tx, owner, target, request.changed));
  });

  route(revokeAtomFeedEndpoint, async (request) => {
    const { id, userType } = requireUser(request);
    const feed = await readAtomFeed(database, request.params.id);
    if (feed === null || (feed.ownerId !== id && userType !== 'Admin')) throw noSuchAtomFeed();
    await removeAtomFeed(database, feed.id);
    request.changed({ subject: toSubject(feed), before: feed });
    return { message: `The address of the feed of ${toTarget(feed)} has been revoked.` };
  });

  async function create(
    tx: Queryable,
    owner: Pick<SignedInUser, 'id'>,
    target: { readonly viewId: number | null; readonly source: VendorSourceKey | null },
    changed: (change: AuditedChange) => void,
  ) {
    if ((await countAtomFeeds(tx, owner.id)) >= maxAtomFeeds)
      throw new AppError(
        'too_many_atom_feeds',
        `You have ${maxAtomFeeds} Atom feeds, the maximum. Revoke one first.`,
      );
    const token = `prf_${randomBytes(32).toString('base64url')}`;
    const tokenHash = sha256Hex(token);
    const id = await addAtomFeed(tx, { tokenHash, userId: owner.id, ...target }, clock());
    const feed = await readAtomFeed(tx, id);
    if (feed === null) throw noSuchView();
    changed({ subject: toSubject(feed), after: feed });
    return { ...feed, secretAddress: `${baseUrl()}/api/atom/${token}` };
  }
}

const toTarget = ({ view, source }: AtomFeed): string =>
  view !== null ? `the view '${view.name}'` : source !== null ? sourceLabels[source] : '';

const toSubject = (feed: AtomFeed) => `Atom feed of ${toTarget(feed)} for ${feed.ownerName}`;

const noSuchView = () =>
  new AppError('no_such_view', 'The view does not exist or is not shared with you.');

const noSuchAtomFeed = () =>
  new AppError('no_such_atom_feed', 'The feed does not exist, or its address was revoked already.');
