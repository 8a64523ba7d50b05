import type { SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import {
  nothingReleased,
  releasedBefore,
  stateOfSource,
} from '@patch/contract/testing/state-of-source.ts';
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { person, pressKey } from '../testing/person.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
import { FreshnessWord } from './freshness-word.tsx';
import { ReleaseFacts } from './release-facts.tsx';
import { ReleaseStrip } from './release-strip.tsx';

const now = Date.now();
const day = 24 * 3_600_000;
const dayWords = (daysAgo: number) =>
  new Date(now - daysAgo * day).toLocaleDateString('en-US', {
    timeZone: 'UTC',
    month: 'short',
    day: '2-digit',
    year: 'numeric',
  });
const synced = (more: Partial<SourceState> = {}) =>
  stateOfSource({
    lastSuccessAt: now,
    releases: releasedBefore(now, { daysAgo: 1, every: 2, perDay: { 1: 3, 8: 1 } }),
    ...more,
  });

describe('ReleaseStrip', () => {
  const strip = () => screen.getByRole('slider', { name: 'Publications of Debian by day' });
  const valueText = () => strip().getAttribute('aria-valuetext');

  it('starts at today and moves day by day with the arrow keys', async () => {
    await renderInApp(<ReleaseStrip state={synced()} />);
    expect(valueText()).toBe(`${dayWords(0)}: no records`);
    await pressKey('ArrowLeft', strip());
    expect(valueText()).toBe(`${dayWords(1)}: 3 records`);
    expect(screen.getByText(`${dayWords(1)}: 3 records`)).toBeTruthy();
    await pressKey('PageDown', strip());
    expect(valueText()).toBe(`${dayWords(8)}: 1 record`);
    await pressKey('Home', strip());
    await pressKey('ArrowLeft', strip());
    expect(strip().getAttribute('aria-valuenow')).toBe('1');
    await pressKey('Escape', strip());
    expect(valueText()).toBe(`${dayWords(0)}: no records`);
  });

  it('shows the day under the pointer', async () => {
    await renderInApp(<ReleaseStrip state={synced()} />);
    strip().getBoundingClientRect = () => ({ left: 100, width: 450 }) as DOMRect;
    await person.pointer({ target: strip(), coords: { clientX: 100 + 88 * 5 + 2 } });
    expect(screen.getByText(`${dayWords(1)}: 3 records`)).toBeTruthy();
    await person.unhover(strip());
    expect(screen.queryByText(`${dayWords(1)}: 3 records`)).toBeNull();
  });

  it('describes the drawing in words', async () => {
    await renderInApp(<ReleaseStrip state={synced()} />);
    const words = document.getElementById(
      strip().getAttribute('aria-describedby') ?? '',
    )?.textContent;
    expect(words).toBe(`Last 90 days: 4 records on 2 days, the last on ${dayWords(1)}.`);
  });

  it.each([
    ['never synced', { lastSuccessAt: null }],
    [
      'without release dates',
      {
        releases: {
          ...nothingReleased,
          isDated: false,
          perDay: Array.from({ length: 90 }, () => 0),
        },
      },
    ],
  ])('is not drawn for a source that is %s', async (_, more) => {
    await renderInApp(<ReleaseStrip state={synced(more)} />);
    expect(screen.queryByRole('slider')).toBeNull();
  });
});

describe('ReleaseFacts', () => {
  it('shows the newest record with a link, and the rhythm', async () => {
    await renderInApp(<ReleaseFacts state={synced()} />);
    expect(screen.getByRole('link', { name: 'DSA-5800-1' }).getAttribute('href')).toBe(
      '/patch-repository/debian-patch/record/7',
    );
    expect(screen.getByText('Usually every 2 days, by the last 50 days with records')).toBeTruthy();
  });

  it.each([
    [
      'Only one day with records: too few for a rhythm',
      releasedBefore(now, { daysAgo: 3, every: null }),
    ],
    ['Its records have no release dates.', { ...nothingReleased, isDated: false }],
    ['None of its records has a date.', nothingReleased],
    [
      '2 records are dated in the future, up to Apr 03, 2038, and not counted',
      {
        ...releasedBefore(now, { daysAgo: 1 }),
        ahead: { records: 2, latest: Date.UTC(2038, 3, 3) },
      },
    ],
  ])('says: %s', async (words, releases) => {
    await renderInApp(<ReleaseFacts state={synced({ releases })} />);
    expect(screen.getByText(words)).toBeTruthy();
  });

  it('never shows a source with an unknown rhythm as fresh', async () => {
    await renderInApp(<FreshnessWord state={synced({ releases: nothingReleased })} />);
    expect(screen.getByText('Synced, publication rhythm unknown')).toBeTruthy();
    expect(screen.queryByText('Fresh')).toBeNull();
  });
});
