import { listOfKey } from '@patch/catalogue/lists.ts';
import { searchEndpoint } from '@patch/contract/search-endpoint.ts';
import { act, screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { destroyPreferences, updatePreference } from '../api/preferences.ts';
import { emptyService } from '../testing/empty-service.ts';
import { addReplies, reply } from '../testing/fake-api.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
import { signInAs } from '../testing/sign-in-as.ts';
import { ListScreen } from './list-screen.tsx';
import { listSearchSchema } from './list-url.ts';

const alma = listOfKey('almalinux_patch');
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

test('shows a repeated beginning shortened, and has the whole title for screen readers and in the tip', async () => {
  const whole = await open();
  expect(whole.className).toContain('visually-hidden');
  const shown = whole.previousElementSibling as HTMLElement;
  expect(shown.getAttribute('aria-hidden')).toBe('true');
  expect(shown.textContent).toMatch(/^Important: … .*second of the container tools/);
  expect(whole.parentElement?.dataset['tip']).toBe(title('second'));
});

test('says for which releases an erratum is, until that is a column', async () => {
  const row = (await open()).closest('tr') as HTMLElement;
  expect(within(row).getByText('AlmaLinux 8, 9')).toBeTruthy();
});

test('leaves to a column what the column says', async () => {
  updatePreference(alma.key, { columns: ['bulletinId', 'title', 'osVersion'] });
  const row = (await open()).closest('tr') as HTMLElement;
  expect(within(row).queryByText('AlmaLinux 8, 9')).toBeNull();
  expect(within(row).getByText('AlmaLinux 8, AlmaLinux 9')).toBeTruthy();
});

test('marks an exploited record behind its title, until that is a column', async () => {
  const row = within((await open()).closest('tr') as HTMLElement);
  expect(row.getByText('Exploited')).toBeTruthy();
  act(() => updatePreference(alma.key, { columns: ['bulletinId', 'title', 'exploited'] }));
  expect(row.queryByText('Exploited')).toBeNull();
  expect(row.getByText('Yes')).toBeTruthy();
});
