import { identifierRecordsEndpoint } from '@patch/contract/records/shared-identifier-endpoints.ts';
import { vulnerabilityEndpoint } from '@patch/contract/records/vulnerability-endpoint.ts';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { refuse, reply } from '../../testing/fake-api.ts';
import { person } from '../../testing/person.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { IdentifierScreen } from './identifier-screen.tsx';

const toListResult = (list: string) => ({
  list,
  totalCount: 1,
  records: [
    {
      id: 7,
      identity: 'A-1',
      title: null,
      severity: null,
      releaseDate: null,
      own: false,
      shares: ['CVE-2024-3094'],
    },
  ],
});
const show = (lists: readonly string[]) =>
  renderInApp(<IdentifierScreen />, {
    replies: [
      refuse(vulnerabilityEndpoint, 404, { code: 'not_found' }),
      reply(identifierRecordsEndpoint, {
        identifier: 'CVE-2024-3094',
        lists: lists.map(toListResult),
      }),
    ],
    route: '/patch-repository/identifier/$id',
    path: '/patch-repository/identifier/CVE-2024-3094',
  });
const headings = () =>
  screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);

test('shows only the chosen list', async () => {
  await show(['almalinux_patch', 'debian_patch']);
  const choice = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'List' });
  expect(Array.from(choice.options, ({ textContent }) => textContent)).toEqual([
    'All lists',
    'AlmaLinux patches',
    'Debian patches',
  ]);
  expect(headings()).toEqual(['AlmaLinux patches', 'Debian patches']);
  await person.selectOptions(choice, 'debian_patch');
  expect(headings()).toEqual(['Debian patches']);
  await person.selectOptions(choice, '');
  expect(headings()).toHaveLength(2);
});

test('offers no choice for a single list', async () => {
  await show(['debian_patch']);
  expect(await screen.findByRole('heading', { name: 'Debian patches' })).toBeTruthy();
  expect(screen.queryByRole('combobox', { name: 'List' })).toBeNull();
});
