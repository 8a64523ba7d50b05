import { preferencesEndpoint } from '@patch/contract/operations/preference-endpoints.ts';
import {
  dashboardEndpoint,
  dashboardVisitEndpoint,
} from '@patch/contract/reports/dashboard-endpoint.ts';
import { sourcesEndpoint } from '@patch/contract/sources/sync-endpoints.ts';
import { runOfSource } from '@patch/contract/testing/run-of-source.ts';
import { releasedBefore, stateOfSource } from '@patch/contract/testing/state-of-source.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { destroyPreferences, fetchPreferences } from '../../api/preferences.ts';
import { disconnect, reply, sentTo } from '../../testing/fake-api.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { DashboardScreen } from './dashboard-screen.tsx';
import { day, type Figures, figure, figures, open } from './testing/dashboard-figures.ts';

const noDrawers = { EmailDrawer: () => null, InviteDrawer: () => null };

beforeEach(destroyPreferences);

const known = reply(preferencesEndpoint, { preferences: {}, frame: { firstSteps: 'hidden' } });

const draw = async (
  preferences: typeof known,
  shown: Figures = figures,
  kevReadAt: number | null = Date.now(),
) => {
  const now = Date.now();
  const sources = [
    stateOfSource({ source: 'kev', label: 'CISA KEV', lastSuccessAt: kevReadAt }),
    stateOfSource({
      source: 'debian',
      label: 'Debian',
      lastSuccessAt: now - 5 * day,
      releases: releasedBefore(now, { daysAgo: 6 }),
    }),
    stateOfSource({ source: 'pardus', label: 'Pardus', lastSuccessAt: null }),
    stateOfSource({
      source: 'cvss',
      label: 'NVD',
      lastSuccessAt: now,
      run: runOfSource({ state: 'succeeded_with_warnings' }),
    }),
  ];
  await renderInApp(<DashboardScreen drawers={noDrawers} />, {
    session: {},
    replies: [
      preferences,
      reply(dashboardEndpoint, shown),
      reply(dashboardVisitEndpoint, { recorded: true }),
      reply(sourcesEndpoint, { objList: sources, totalCount: sources.length }),
    ],
  });
};

const show = async (shown: Figures = figures, kevReadAt: number | null = Date.now()) => {
  await draw(known, shown, kevReadAt);
  await act(() => fetchPreferences());
  await screen.findByRole('region', { name: 'Sources' });
};
const card = (name: string) => within(screen.getByRole('region', { name }));
const href = (element: HTMLElement) => decodeURIComponent(element.getAttribute('href') ?? '');

test('starts with new known exploited CVEs, their period and their source', async () => {
  await show();
  const section = card('New since your last visit');
  expect(await section.findByText(/your previous visit/)).toBeTruthy();
  expect(href(section.getByRole('link', { name: 'CVE-2026-10001' }))).toBe(
    '/patch-repository/identifier/CVE-2026-10001',
  );
  expect(href(section.getByRole('link', { name: 'ALSA-1' }))).toBe(
    '/patch-repository/almalinux-patch/record/7',
  );
  const cves = section.getByRole('link', { name: /^1 CVE that became known exploited/ });
  expect(href(cves)).toContain('/patch-repository/vulnerabilities?criteria=cve.in.CVE-2026-1');
  await waitFor(() => expect(section.getByText(/CISA KEV read/)).toBeTruthy());
});

test('says that exploited CVEs are unknown when CISA was never read', async () => {
  const { patches } = figures.news;
  await show(
    {
      ...figures,
      news: {
        ...figures.news,
        sinceReason: 'first_visit',
        cves: null,
        fixes: null,
        patches: { ...patches, rows: [] },
      },
    },
    null,
  );
  const section = card('New since your last visit');
  expect(await section.findByText(/on your first visit, the last 7 days/)).toBeTruthy();
  expect(await section.findByText(/CISA KEV was never read here/)).toBeTruthy();
  expect(section.getByRole('heading', { name: '0 CVEs became known exploited' })).toBeTruthy();
});

test('lists sources with problems first, and names untouched ones once', async () => {
  await show();
  const sources = card('Sources');
  await sources.findByRole('link', { name: 'Debian' });
  const [first, ...others] = sources.getAllByRole('listitem');
  expect(first?.textContent).toContain('DebianNot synced for 5 days');
  expect(others.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^NVDSucceeded with warnings/),
    expect.stringMatching(/^CISA KEV/),
  ]);
  expect(sources.getByText(/Not synced yet:/).textContent).toBe('Not synced yet: Pardus');
});

test('ranks updates, says what each closes, and links to the same order', async () => {
  await show();
  const ranking = card('Patch these first');
  const [update] = await ranking.findAllByRole('listitem');
  expect(update?.textContent).toContain(
    'ALSA-9 · openssl and 1 more · AlmaLinux 8 · known exploited since Nov~10,~2026 · released Nov~03,~2026 · Critical · missing on 12 machines · closes 2 CVEs'
      .replaceAll(' ·', '\u00A0·')
      .replaceAll('~', '\u00A0'),
  );
  expect(href(ranking.getByRole('link', { name: 'Open ALSA-9' }))).toBe(
    '/patch-repository/almalinux-patch/record/4',
  );
  const all = href(ranking.getByRole('link', { name: 'All 22, ranked without machines' }));
  expect(all).toContain('sort=patchFirst');
  expect(all).toContain('superseded.not_equal.true');
  expect(
    ranking.getByText(/what machines miss, then known exploited, the newest first/),
  ).toBeTruthy();
});

test('leads to the updates of products that were not chosen in one click, ranked alike', async () => {
  const names = ['Debian 12'];
  const release = { paramName: 'release', operator: 'not_in', value: names };
  const own = { from: 'chosen' as const, names, unmatched: [], further: 0 };
  const others = figure('all_patches', [open, release], 1234);
  const patchFirst = { ...figures.patchFirst, own, others };
  await show({ ...figures, patchFirst });
  const ranking = card('Patch these first');
  const link = await ranking.findByRole('link', {
    name: 'Also for products you have not chosen: 1,234',
  });
  expect(href(link)).toContain('release.not_in.Debian+12');
  expect(href(link)).toContain('sort=patchFirst');
  const all = { name: 'All 22 of these products, ranked without machines' };
  expect(ranking.getByRole('link', all)).toBeTruthy();
});

test('shows what is still to patch when nothing is new', async () => {
  const { patches } = figures.news;
  const news = {
    ...figures.news,
    cves: null,
    fixes: null,
    patches: { figure: { ...patches.figure, totalCount: 0, updateCount: 0 }, rows: [] },
  };
  await show({ ...figures, news });
  const section = card('New since your last visit');
  expect(await section.findByText(/Nothing new. Still to patch:/)).toBeTruthy();
  expect(section.getByRole('link', { name: /^14 updates against known exploited/ })).toBeTruthy();
});

test('says in one sentence when hardly a week has patches', async () => {
  const [first, second, last] = figures.weeks;
  const none = (week = last) => ({ ...week, figure: { ...week?.figure, totalCount: 0 } });
  await show({ ...figures, weeks: [none(first), none(second), last] as Figures['weeks'] });
  const weeks = card('Patches by week');
  const link = await weeks.findByRole('link', { name: '5 in the week of Nov 16, 2026' });
  expect(link.parentElement?.parentElement?.textContent).toBe(
    'Patches of 3 weeks: 5 in the week of Nov 16, 2026, 2 Critical, 3 Low.',
  );
  expect(href(weeks.getByRole('link', { name: '2 Critical: show them' }))).toContain(
    'severity.equal.Critical',
  );
  expect(href(link)).toContain('criteria=releaseDate.between.2026-11-16');
});

test('links each bar to the records that it counts', async () => {
  await show();
  const weeks = card('Patches by week');
  const week = await weeks.findByRole('link', {
    name: '5 patches in the week of Nov 16, 2026, 2 Critical, 3 Low',
  });
  expect(href(week)).toContain('criteria=releaseDate.between.2026-11-16');
  const part = weeks.getByRole('link', { name: '2 Critical, week of Nov 16, 2026' });
  expect(href(part)).toContain('severity.equal.Critical');
  expect(part.style.height).toBe('40%');
  const vendors = card('Critical in 30 days, by vendor');
  expect(vendors.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual([
    'Microsoft',
    'Others',
  ]);
});

test('records the visit once', async () => {
  await show();
  await card('New since your last visit').findByRole('link', { name: 'ALSA-1' });
  expect(sentTo(dashboardVisitEndpoint)).toHaveLength(1);
});

test('shows no card before it is known whether the first steps stand above', async () => {
  await draw(known);
  await waitFor(() => expect(sentTo(sourcesEndpoint)).toHaveLength(1));
  expect(screen.queryByRole('region')).toBeNull();
  await act(() => fetchPreferences());
  expect(await screen.findByRole('region', { name: 'Patch these first' })).toBeTruthy();
});

test('shows the cards without the first steps when the preferences cannot be read', async () => {
  await draw(disconnect(preferencesEndpoint));
  await act(() => fetchPreferences());
  expect(await screen.findByRole('region', { name: 'Patch these first' })).toBeTruthy();
  expect(screen.queryByRole('region', { name: 'First steps' })).toBeNull();
});
