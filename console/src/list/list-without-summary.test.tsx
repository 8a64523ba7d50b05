import { listOfKey } from '@patch/catalogue/lists.ts';
import { searchEndpoint } from '@patch/contract/search-endpoint.ts';
import { screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { emptyService } from '../testing/empty-service.ts';
import { addReplies, reply } from '../testing/fake-api.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
import { signInAs } from '../testing/sign-in-as.ts';
import { ListScreen } from './list-screen.tsx';
import { listSearchSchema } from './list-url.ts';

const alma = listOfKey('almalinux_patch');

// As when the server was updated meanwhile and no longer has the file.
vi.mock('../summary/date-histogram.tsx', () => {
  throw new Error('Failed to fetch dynamically imported module');
});

beforeEach(() => {
  addReplies(...emptyService(signInAs({ email: 'a@example.org' })));
  addReplies(
    reply(searchEndpoint(alma), { objList: [{ id: 1, title: 'Erratum 1' }], totalCount: 1 }),
  );
});

test('keeps the rows when what draws their numbers cannot be fetched', async () => {
  await renderInApp(<ListScreen list={alma} />, {
    route: '/list',
    path: '/list',
    searchSchema: listSearchSchema,
  });
  expect(await screen.findByText(/^This part could not be loaded/)).toBeTruthy();
  expect(await screen.findByText('Erratum 1')).toBeTruthy();
});
