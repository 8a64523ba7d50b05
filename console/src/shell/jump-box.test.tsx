import { identifierRecordsEndpoint } from '@patch/contract/shared-identifier-endpoints.ts';
import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { reply, sentCalls } from '../testing/fake-api.ts';
import { fillIn, pasteInto, pressKey } from '../testing/person.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
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
const found = (identifier: string) => ({
  identifier,
  lists:
    identifier === 'ALSA-2024:1691' ? [alma] : identifier === 'CVE-2024-3094' ? [alma, debian] : [],
});

async function open() {
  const onClose = vi.fn<() => void>();
  const { path: at } = await renderInApp(<JumpBox open onClose={onClose} />, {
    session: {},
    replies: [reply(identifierRecordsEndpoint, ({ params }) => found(params['identifier'] ?? ''))],
  });
  const box = await screen.findByRole('combobox', { name: 'Identifier or screen' });
  return { box, onClose, at };
}
const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);
const selected = () =>
  screen.getAllByRole('option').find((option) => option.getAttribute('aria-selected') === 'true')
    ?.textContent;

test('an identifier that one record has leads to it', async () => {
  const { box, onClose, at } = await open();
  await pasteInto(box, 'ALSA-2024:1691');
  await waitFor(() => expect(options()).toEqual([expect.stringContaining('ALSA-2024:1691')]));
  await pressKey('Enter', box);
  await waitFor(() => expect(at()).toBe('/patch-repository/almalinux-patch/record/7'));
  expect(onClose).toHaveBeenCalledOnce();
  expect(sentCalls()).toHaveLength(1);
});

test('one that several records name leads to all of them; arrows choose another', async () => {
  const { box, at } = await open();
  await fillIn(box, ' CVE-2024-3094 ');
  await waitFor(() => expect(options()).toHaveLength(5));
  expect(selected()).toContain('All 5 records');
  await pressKey('ArrowDown', box);
  await pressKey('ArrowDown', box);
  expect(selected()).toContain('DSA-1');
  await pressKey('ArrowUp', box);
  await pressKey('ArrowUp', box);
  await pressKey('Enter', box);
  await waitFor(() => expect(at()).toBe('/patch-repository/identifier/CVE-2024-3094'));
});

test('a screen is found by its name', async () => {
  const { box, at } = await open();
  await fillIn(box, 'debian');
  await waitFor(() => expect(options()).toEqual([expect.stringContaining('Debian')]));
  await waitFor(() => expect(screen.getByRole('listbox').getAttribute('aria-busy')).toBe('false'));
  await pressKey('Enter', box);
  await waitFor(() => expect(at()).toBe('/patch-repository/debian-patch'));
});

test('what has no name says so', async () => {
  const { box } = await open();
  await fillIn(box, 'no such thing');
  expect(await screen.findByText('No matches.')).toBeTruthy();
});
