import { getList } from '@patch/catalogue/lists.ts';
import { searchEndpoint } from '@patch/contract/records/search-endpoint.ts';
import { act, screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { destroyPreferences, updatePreference } from '../../api/preferences.ts';
import { emptyService } from '../../testing/empty-service.ts';
import { addReplies, reply } from '../../testing/fake-api.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { signInAs } from '../../testing/sign-in-as.ts';
import { listSearchSchema } from '../address/list-url.ts';
import { ListScreen } from '../list-screen.tsx';

const alma = getList('almalinux_patch');
const title = (module: string) =>
  `Important: an update that is described at length for the module ${module} of the container tools, and for what is built on it`;

beforeEach(() => {
  destroyPreferences();
  addReplies(...emptyService(signInAs()));
  addReplies(
    reply(searchEndpoint(alma), {
      objList: ['first', 'second', 'third'].map((module, at) => ({
        id: at + 1,
        title: title(module),
        bulletinId: `ALSA-2024:${at}`,
        osVersion: ['AlmaLinux 8', 'AlmaLinux 9'],
        exploited: true,
      })),
      totalCount: 3,
    }),
  );
});

async function open() {
  await renderInApp(<ListScreen list={alma} />, {
    route: '/list',
    path: '/list',
    searchSchema: listSearchSchema,
  });
  return screen.findByText(title('second'));
}

test('omits words that other columns say, with the full title for screen readers and in the tip', async () => {
  const fullTitle = await open();
  expect(fullTitle.className).toContain('visually-hidden');
  const shown = fullTitle.previousElementSibling as HTMLElement;
  expect(shown.getAttribute('aria-hidden')).toBe('true');
  expect(shown.textContent).toBe(title('second').replace('Important: ', ''));
  expect(fullTitle.parentElement?.dataset['tip']).toBe(title('second'));
});

test('does not repeat facts that a column shows', async () => {
  updatePreference(alma.key, { columns: ['bulletinId', 'title', 'osVersion'] });
  const row = (await open()).closest('tr') as HTMLElement;
  expect(within(row).queryByText('AlmaLinux 8, 9')).toBeNull();
  expect(within(row).getByText('AlmaLinux 8, AlmaLinux 9')).toBeTruthy();
});

test('marks an exploited record beside its title unless that is a column', async () => {
  const row = within((await open()).closest('tr') as HTMLElement);
  expect(row.getByText('Exploited')).toBeTruthy();
  act(() => updatePreference(alma.key, { columns: ['bulletinId', 'title', 'exploited'] }));
  expect(row.queryByText('Exploited')).toBeNull();
  expect(row.getByText('Yes')).toBeTruthy();
});
