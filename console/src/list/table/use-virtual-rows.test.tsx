import { getList } from '@patch/catalogue/lists.ts';
import { searchEndpoint } from '@patch/contract/records/search-endpoint.ts';
import { act, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { destroyPreferences, updatePreference } from '../../api/preferences.ts';
import { emptyService } from '../../testing/empty-service.ts';
import { addReplies, reply } from '../../testing/fake-api.ts';
import { person } from '../../testing/person.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { signInAs } from '../../testing/sign-in-as.ts';
import { listSearchSchema } from '../address/list-url.ts';
import { ListScreen } from '../list-screen.tsx';

const alma = getList('almalinux_patch');
const total = 3000;

beforeEach(() => {
  destroyPreferences();
  addReplies(...emptyService(signInAs()));
  addReplies(
    reply(searchEndpoint(alma), ({ query }) => {
      const [offset, size] = [Number(query['offset']), Number(query['size'])];
      return {
        objList: Array.from({ length: Math.min(size, total - offset) }, (_, at) => ({
          id: offset + at + 1,
          title: `Erratum ${offset + at + 1}`,
          bulletinId: `ALSA-2024:${offset + at + 1}`,
        })),
        totalCount: total,
      };
    }),
  );
  updatePreference(alma.key, { loadMode: 'loadmore' });
});

async function openThousand() {
  await renderInApp(<ListScreen list={alma} />, {
    route: '/list',
    path: '/list?page=20&size=50',
    searchSchema: listSearchSchema,
  });
  await screen.findByText('1–1,000 of 3,000');
}

const drawn = () => [...document.querySelectorAll<HTMLElement>('tr[data-row]')];
const row = (id: number) => document.querySelector<HTMLElement>(`tr[data-row="${id}"]`);

test('renders few of a thousand rows, with aria-rowindex', async () => {
  await openThousand();
  expect(drawn().length).toBeGreaterThan(0);
  expect(drawn().length).toBeLessThanOrEqual(150);
  expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('3001');
  expect(row(1)?.getAttribute('aria-rowindex')).toBe('2');
  expect(row(1000)).toBeNull();
});

test('marks all loaded rows, including those not rendered', async () => {
  await openThousand();
  await person.click(screen.getByRole('checkbox', { name: 'Select all rows of the page' }));
  expect(screen.getByText('1,000 selected')).toBeTruthy();
});

test('renders all rows for printing, and few afterwards', async () => {
  await openThousand();
  act(() => void dispatchEvent(new Event('beforeprint')));
  expect(drawn()).toHaveLength(1000);
  act(() => void dispatchEvent(new Event('afterprint')));
  expect(drawn().length).toBeLessThanOrEqual(150);
}, 60_000);
