import type { ListKey } from '@patch/catalogue/lists.ts';
import { getList } from '@patch/catalogue/lists.ts';
import {
  createViewEndpoint,
  savedViewsEndpoint,
} from '@patch/contract/records/saved-view-endpoints.ts';
import { alertsEndpoint, previewAlertEndpoint } from '@patch/contract/reports/alert-endpoints.ts';
import {
  type AtomFeed,
  atomFeedsEndpoint,
  createSourceFeedEndpoint,
  createViewFeedEndpoint,
  revokeAtomFeedEndpoint,
} from '@patch/contract/reports/atom-feed-endpoints.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { reply, sentCalls } from '../../testing/fake-api.ts';
import { fillIn, person } from '../../testing/person.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { buildView } from '../../testing/service-values.ts';
import { SubscribeButton } from './subscribe-button.tsx';
// Loaded before the tests, which wait for it when it is opened.
import './subscribe-dialog.tsx';
import type { ListModel } from '../model/use-list-model.ts';

const search = { criteria: 'severity.in.Critical', keyword: '', sort: null, columns: null };
const view = buildView();
const feed = (id: number, more: Partial<AtomFeed> = {}): AtomFeed => ({
  id,
  view: { id: 4, name: 'Critical ones', list: 'almalinux_patch' },
  source: null,
  ownerId: 2,
  ownerName: 'stan',
  createdAt: 1,
  lastReadAt: null,
  ...more,
});
const secretAddress = 'https://patch.example.org/api/atom/prf_one';

async function open({
  list = 'almalinux_patch',
  feeds = [],
  opened,
  shown = search,
}: {
  readonly list?: ListKey;
  readonly feeds?: readonly AtomFeed[];
  readonly opened?: number;
  readonly shown?: typeof search;
} = {}) {
  const openView = vi.fn();
  const model = {
    list: getList(list),
    state: { view: opened },
    narrowed: true,
    viewSearch: () => shown,
    openView,
  } as unknown as ListModel;
  let current = [...feeds];
  const create = (made: AtomFeed) => {
    current = [made, ...current];
    return { ...made, secretAddress };
  };
  await renderInApp(<SubscribeButton model={model} narrow={false} />, {
    session: { id: 2, name: 'stan', userType: 'Standard', email: 'stan@example.org' },
    replies: [
      reply(savedViewsEndpoint, { objList: [view], totalCount: 1 }),
      reply(atomFeedsEndpoint, () => ({ objList: current, totalCount: current.length })),
      reply(createViewFeedEndpoint, () => create(feed(9))),
      reply(createSourceFeedEndpoint, () => create(feed(10, { view: null, source: 'almaLinux' }))),
      reply(createViewEndpoint, view),
      reply(alertsEndpoint, { objList: [], totalCount: 0, mailConfigured: true }),
      reply(previewAlertEndpoint, { days: [], total: 0, updates: 0 }),
      reply(revokeAtomFeedEndpoint, ({ params }) => {
        current = current.filter(({ id }) => String(id) !== params['id']);
        return { message: 'The address has been revoked.' };
      }),
    ],
  });
  await person.click(screen.getByRole('button', { name: 'Subscribe' }));
  const dialog = within(
    await screen.findByRole('dialog', { name: /^Subscribe to/ }, { timeout: 10_000 }),
  );
  return { dialog, openView };
}
const posts = () =>
  sentCalls()
    .filter(({ method }) => method === 'POST')
    .map(({ path }) => path);

test('shows the address of a new feed of the open view once, and lists the feed', async () => {
  const { dialog } = await open({ opened: 4 });
  await person.click(
    await dialog.findByRole('button', { name: 'Atom feed of the view Critical ones' }),
  );
  expect(await dialog.findByText(secretAddress)).toBeTruthy();
  expect(dialog.getByRole('button', { name: 'Copy feed address' })).toBeTruthy();
  expect(posts()).toEqual(['/views/4/atomfeeds']);
  const feeds = await dialog.findByRole('list', { name: 'Your feed addresses' });
  expect(feeds.textContent).toMatch(/^Feed of the view ‘Critical ones’created .* · not read yet/);
});

test('creates a feed of everything of the vendor without a view', async () => {
  const { dialog } = await open();
  await person.click(await dialog.findByRole('button', { name: 'Atom feed of AlmaLinux' }));
  expect(await dialog.findByText(secretAddress)).toBeTruthy();
  expect(posts()).toEqual(['/sources/almaLinux/atomfeeds']);
});

test('offers to save a changed search as a view first, and opens it', async () => {
  const { dialog, openView } = await open({ opened: 4, shown: { ...search, keyword: 'ssl' } });
  expect(dialog.queryByRole('button', { name: /Alert/ })).toBeNull();
  await person.click(await dialog.findByRole('button', { name: 'Save view…' }));
  await fillIn(await screen.findByLabelText('Name'), 'Critical SSL');
  await person.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(openView).toHaveBeenCalledWith(view));
  expect(await screen.findByRole('dialog', { name: /^Subscribe to/ })).toBeTruthy();
});

test('leads to the alert of the open view', async () => {
  const { dialog } = await open({ opened: 4 });
  await person.click(await dialog.findByRole('button', { name: 'Alert…' }));
  expect(await screen.findByRole('dialog', { name: "Alert for 'Critical ones'" })).toBeTruthy();
});

test('lists only the own feeds of this list and its vendor, and revokes one after confirmation', async () => {
  const { dialog } = await open({
    feeds: [
      feed(1),
      feed(2, { view: null, source: 'almaLinux' }),
      feed(3, { view: null, source: 'debian' }),
      feed(4, { view: { id: 5, name: 'Others', list: 'debian_patch' } }),
      feed(5, { ownerId: 3 }),
    ],
  });
  const rows = async () =>
    within(await dialog.findByRole('list', { name: 'Your feed addresses' }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent?.replace(/created.*/, ''));
  expect(await rows()).toEqual(['Feed of the view ‘Critical ones’', 'Feed of AlmaLinux']);
  await person.click(dialog.getByRole('button', { name: 'Revoke the feed address of AlmaLinux' }));
  await person.click(await screen.findByRole('button', { name: 'Revoke' }));
  await waitFor(async () => expect(await rows()).toEqual(['Feed of the view ‘Critical ones’']));
});

test('offers no feed of machines', async () => {
  const { dialog } = await open({ list: 'machines' });
  expect(await dialog.findByRole('button', { name: 'Save view…' })).toBeTruthy();
  expect(dialog.queryByRole('button', { name: /feed/ })).toBeNull();
  expect(sentCalls().some(({ path }) => path === '/atomfeeds')).toBe(false);
});

test('returns the focus to its button when it closes', async () => {
  await open();
  await person.click(await screen.findByRole('button', { name: 'Close' }));
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Subscribe' })),
  );
});
