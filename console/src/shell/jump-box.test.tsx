import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { signIn, signOut } from '../api/session.ts';
import { renderInRouter } from '../testing/render-in-router.tsx';
import { JumpBox } from './jump-box.tsx';

const record = (id: number, identity: string) => ({
  id,
  identity,
  title: `Update ${id}`,
  severity: 'Critical',
  releaseDate: 1,
  shares: [identity],
});
const alma = { list: 'almalinux_patch', totalCount: 1, records: [record(7, 'ALSA-2024:1691')] };
const debian = {
  list: 'debian_patch',
  totalCount: 4,
  records: [1, 2, 3, 4].map((id) => record(id, `DSA-${id}`)),
};
const answers = {
  '/identifier/ALSA-2024:1691': { identifier: 'ALSA-2024:1691', lists: [alma] },
  '/identifier/CVE-2024-3094': { identifier: 'CVE-2024-3094', lists: [alma, debian] },
  '/identifier/debian': { identifier: 'debian', lists: [] },
  '/identifier/no such thing': { identifier: 'no such thing', lists: [] },
};

beforeEach(() => {
  signIn('token', {
    id: 1,
    name: 'admin',
    email: '',
    userType: 'Admin',
    timezone: 'UTC',
    mustChangePassword: false,
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  signOut();
});

async function open() {
  const onClose = vi.fn<() => void>();
  const { asked, path: at } = await renderInRouter(<JumpBox open onClose={onClose} />, answers);
  const box = await screen.findByRole('combobox', { name: 'Identifier or screen' });
  return { box, onClose, at, asked };
}
const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);
const selected = () =>
  screen.getAllByRole('option').find((option) => option.getAttribute('aria-selected') === 'true')
    ?.textContent;

test('an identifier that one record has leads to it', async () => {
  const { box, onClose, at, asked } = await open();
  fireEvent.change(box, { target: { value: 'ALSA-2024:1691' } });
  await waitFor(() => expect(options()).toEqual([expect.stringContaining('ALSA-2024:1691')]));
  fireEvent.keyDown(box, { key: 'Enter' });
  await waitFor(() => expect(at()).toBe('/patch-repository/almalinux-patch/record/7'));
  expect(onClose).toHaveBeenCalledOnce();
  expect(asked).toHaveLength(1);
});

test('one that several records name leads to all of them; arrows choose another', async () => {
  const { box, at } = await open();
  fireEvent.change(box, { target: { value: ' CVE-2024-3094 ' } });
  await waitFor(() => expect(options()).toHaveLength(5));
  expect(selected()).toContain('All 5 records');
  fireEvent.keyDown(box, { key: 'ArrowDown' });
  fireEvent.keyDown(box, { key: 'ArrowDown' });
  expect(selected()).toContain('DSA-1');
  fireEvent.keyDown(box, { key: 'ArrowUp' });
  fireEvent.keyDown(box, { key: 'ArrowUp' });
  fireEvent.keyDown(box, { key: 'Enter' });
  await waitFor(() => expect(at()).toBe('/patch-repository/identifier/CVE-2024-3094'));
});

test('a screen is found by its name', async () => {
  const { box, at } = await open();
  fireEvent.change(box, { target: { value: 'debian' } });
  await waitFor(() => expect(options()).toEqual([expect.stringContaining('Debian')]));
  await waitFor(() => expect(screen.getByRole('listbox').getAttribute('aria-busy')).toBe('false'));
  fireEvent.keyDown(box, { key: 'Enter' });
  await waitFor(() => expect(at()).toBe('/patch-repository/debian-patch'));
});

test('what has no name says so', async () => {
  const { box } = await open();
  fireEvent.change(box, { target: { value: 'no such thing' } });
  expect(await screen.findByText('No matches.')).toBeTruthy();
});
