/** Fetches, creates and revokes the user's Atom feeds of a list. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { sourceLabels, type VendorSourceKey } from '@patch/catalogue/sources.ts';
import {
  type AtomFeed,
  atomFeedsEndpoint,
  createSourceFeedEndpoint,
  createViewFeedEndpoint,
  hasAtomFeeds,
  revokeAtomFeedEndpoint,
} from '@patch/contract/reports/atom-feed-endpoints.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useSession } from '../../api/session.ts';
import { useConfirmedAction } from '../../widgets/use-confirmed-action.ts';

export type FeedTarget = { readonly view: number } | { readonly source: VendorSourceKey };

export type AtomFeeds = ReturnType<typeof useAtomFeeds>;

const queryKey = queryKeys.atomFeeds.all();

export function useAtomFeeds(list: Pick<ListDefinition, 'key' | 'source' | 'viewOf'>) {
  const queries = useQueryClient();
  const { user } = useSession();
  const feeds = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await callApi(atomFeedsEndpoint, { signal })).objList,
    enabled: hasAtomFeeds(list),
  });
  const create = useMutation({
    mutationFn: (target: FeedTarget) =>
      'view' in target
        ? callApi(createViewFeedEndpoint, { params: { id: String(target.view) } })
        : callApi(createSourceFeedEndpoint, { params: { source: target.source } }),
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });
  const revoke = useConfirmedAction({
    question: (feed: AtomFeed) => ({
      title: `Revoke the feed address of ${feedName(feed)}?`,
      body: 'Readers that use it receive nothing more.',
      danger: true,
      yes: 'Revoke',
    }),
    run: ({ id }) => callApi(revokeAtomFeedEndpoint, { params: { id: String(id) } }),
    success: (_feed, { message }) => message,
    invalidates: [queryKey],
  });
  return {
    query: feeds,
    /** The user's own, of this list and its vendor. */
    ofList: (feeds.data ?? []).filter(
      ({ ownerId, view, source }) =>
        ownerId === user?.id && (view === null ? source === list.source : view.list === list.key),
    ),
    create,
    revoke,
  };
}

export const feedName = ({ view, source }: AtomFeed): string =>
  view === null ? (source === null ? '' : sourceLabels[source]) : `the view ‘${view.name}’`;
