import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderInRouter } from '../../testing/render-in-router.tsx';
import { IdentifierScreen } from './identifier-screen.tsx';

const ofList = (list: string) => ({
  list,
  totalCount: 1,
  records: [
    {
      id: 7,
      identity: 'A-1',
      title: null,
      severity: null,
      releaseDate: null,
      shares: ['CVE-2024-3094'],
    },
  ],
});
const show = (lists: readonly string[]) =>
  renderInRouter(
    <IdentifierScreen />,
    { '/identifier/CVE-2024-3094': { identifier: 'CVE-2024-3094', lists: lists.map(ofList) } },
    '/patch-repository/identifier/CVE-2024-3094',
  );
const headings = () =>
  screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);

test('of several lists one can be looked at alone', async () => {
  await show(['almalinux_patch', 'debian_patch']);
  const choice = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'List' });
  expect(Array.from(choice.options, ({ textContent }) => textContent)).toEqual([
    'All lists',
    'AlmaLinux patches',
    'Debian patches',
  ]);
  expect(headings()).toEqual(['AlmaLinux patches', 'Debian patches']);
  fireEvent.change(choice, { target: { value: 'debian_patch' } });
  expect(headings()).toEqual(['Debian patches']);
  fireEvent.change(choice, { target: { value: '' } });
  expect(headings()).toHaveLength(2);
});

test('of one list there is nothing to choose', async () => {
  await show(['debian_patch']);
  expect(await screen.findByRole('heading', { name: 'Debian patches' })).toBeTruthy();
  expect(screen.queryByRole('combobox', { name: 'List' })).toBeNull();
});
