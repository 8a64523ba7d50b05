import { getList } from '@patch/catalogue/lists.ts';
import { releasedBefore, stateOfSource } from '@patch/contract/testing/state-of-source.ts';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderInApp } from '../testing/render-in-app.tsx';
import { ListHeading } from './list-heading.tsx';

const now = Date.now();

async function heading(daysAgo: number, every: number | null, lastSuccessAt = now - 60_000) {
  const source = stateOfSource({
    lastSuccessAt,
    releases: releasedBefore(now, { daysAgo, every }),
  });
  await renderInApp(
    <ListHeading
      list={getList('debian_patch')}
      totalCount={1}
      updateCount={undefined}
      narrowed={false}
      stale={false}
      source={source}
      actions={null}
    />,
  );
  return screen.getByRole('link', { name: /^synced/ });
}

test('shows that a vendor is silent although its source is synced', async () => {
  const link = await heading(40, 2);
  expect(link.textContent).toBe('synced 1 minute ago, vendor silent for 40 days');
  expect(link.dataset['tip']).toBe('Silent for 40 days, usually every 2 days');
  expect(link.dataset['concern']).toBe('true');
});

test('shows only the last sync of a source with an unknown rhythm', async () => {
  const link = await heading(400, null);
  expect(link.textContent).toBe('synced 1 minute ago');
  expect(link.dataset['concern']).toBeUndefined();
});

test('marks a source that has not been synced for days', async () => {
  expect((await heading(3, 2, now - 72 * 3_600_000)).dataset['concern']).toBe('true');
});
