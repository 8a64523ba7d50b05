import { type CatalogueList, getList } from '@patch/catalogue/lists.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import { detailEndpoint } from '@patch/contract/records/detail-endpoint.ts';
import { savedViewsEndpoint } from '@patch/contract/records/saved-view-endpoints.ts';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { refuse, reply, sentTo } from '../../testing/fake-api.ts';
import { person } from '../../testing/person.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { CriterionChips } from './criterion-chips.tsx';

const alma = getList('almalinux_patch');
const machines = getList('machines');
const clients = getList('floto_user');

/** A record of which nothing else is known. */
const buildRecord = (list: CatalogueList, values: Readonly<Record<string, unknown>>) =>
  ({
    ...Object.fromEntries(Object.keys(list.fields).map((name) => [name, null])),
    packages: [],
    modules: [],
    references: [],
    createdTime: 1,
    firstSeenTime: 1,
    changedTime: 1,
    withdrawnTime: null,
    ...values,
  }) as never;

const show = (list: 'machines' | 'all_patches', criterion: FieldCriterion) =>
  renderInApp(
    <CriterionChips
      list={getList(list)}
      currentSearch={{ criteria: [criterion], keyword: '' }}
      editing={undefined}
      onEditing={() => undefined}
      onEditKeyword={() => undefined}
      onFocusLost={() => undefined}
      onAsk={() => undefined}
      usualSort="-releaseDate"
    />,
    {
      replies: [
        reply(savedViewsEndpoint, { objList: [], totalCount: 0 }),
        reply(detailEndpoint(alma), ({ params }) =>
          buildRecord(alma, { id: Number(params['id']), bulletinId: `ALSA-2024:${params['id']}` }),
        ),
        reply(detailEndpoint(machines), buildRecord(machines, { id: 67108865, name: 'web-1' })),
        refuse(detailEndpoint(clients), 404, { code: 'not_found' }),
      ],
    },
  );

test.each([
  ['machines', 'misses', 'almalinux_patch/7', 'Misses is ALSA-2024:7'],
  ['machines', 'mayMiss', ['almalinux_patch/7', 'KB1'], 'May miss is one of ALSA-2024:7, KB1'],
  ['all_patches', 'missingOn', '#67108865', 'Missing on is web-1'],
] as const)('names in %s the record of %s %j', async (list, paramName, value, words) => {
  const operator = typeof value === 'string' ? 'equal' : 'in';
  await show(list, { paramName, operator, value: value as never });
  expect(await screen.findByTitle(words)).toBeTruthy();
});

test('keeps the number of a record that cannot be read', async () => {
  await show('all_patches', { paramName: 'missingAt', operator: 'equal', value: '#9' });
  expect(await screen.findByTitle('Missing at is #9')).toBeTruthy();
});

test('looks up no record for other values', async () => {
  await show('machines', { paramName: 'name', operator: 'equal', value: 'almalinux_patch/7' });
  expect(await screen.findByTitle('Name is almalinux_patch/7')).toBeTruthy();
  expect(sentTo(detailEndpoint(alma))).toEqual([]);
});

test('shows the order of the newest unless it is the usual one, and takes it back', async () => {
  const changes: unknown[] = [];
  const chips = (usualSort: string) => (
    <CriterionChips
      list={getList('all_patches')}
      currentSearch={{ criteria: [], keyword: 'openssl', sort: 'newest' }}
      editing={undefined}
      onEditing={() => undefined}
      onEditKeyword={() => undefined}
      onFocusLost={() => undefined}
      onAsk={(change) => changes.push(change)}
      usualSort={usualSort}
    />
  );
  const replies = [reply(savedViewsEndpoint, { objList: [], totalCount: 0 })];
  const { unmount } = await renderInApp(chips('patchFirst'), { replies });
  expect(await screen.findByText('Newest first')).toBeTruthy();
  await person.click(screen.getByRole('button', { name: 'Remove Order' }));
  expect(changes).toEqual([{ sort: null }]);
  unmount();
  await renderInApp(chips('newest'), { replies });
  expect(await screen.findByText('openssl')).toBeTruthy();
  expect(screen.queryByText('Newest first')).toBeNull();
});
