import type { OwnProducts } from '@patch/contract/base/product-choice.ts';
import {
  type FramePreference,
  preferencesEndpoint,
  saveFramePreferenceEndpoint,
} from '@patch/contract/operations/preference-endpoints.ts';
import { act, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fetchPreferences } from '../../api/preferences.ts';
import { bodiesSentTo, reply } from '../../testing/fake-api.ts';
import { person } from '../../testing/person.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { RankedProducts } from './ranked-products.tsx';

const show = async (own: OwnProducts | null, frame: FramePreference = {}) => {
  await renderInApp(<RankedProducts own={own} />, {
    session: {},
    replies: [
      reply(preferencesEndpoint, { preferences: {}, frame }),
      reply(saveFramePreferenceEndpoint, ({ body }) => ({
        preferences: {},
        frame: body as FramePreference,
      })),
    ],
  });
  await act(() => fetchPreferences());
};

const chosen: OwnProducts = {
  from: 'chosen',
  names: ['Debian 12', 'Windows 11', 'Windows Server 2019', 'Windows Server 2022', 'macOS 15'],
  unmatched: [],
  further: 0,
};
const question = () => screen.queryByRole('region', { name: 'Which products are yours?' });

test('asks which products are mine until I answer or dismiss, and stays reachable', async () => {
  await show(null);
  expect(question()).not.toBeNull();
  await person.click(screen.getByRole('button', { name: 'Not now' }));
  expect(question()).toBeNull();
  await waitFor(() =>
    expect(bodiesSentTo(saveFramePreferenceEndpoint)).toEqual([{ productsQuestion: 'dismissed' }]),
  );
  expect(screen.getByText('For all products.')).toBeTruthy();
  await person.click(screen.getByRole('button', { name: 'Choose my products' }));
  expect(await screen.findByRole('group', { name: 'My products' })).toBeTruthy();
});

test('asks nothing where the question was dismissed', async () => {
  await show(null, { productsQuestion: 'dismissed' });
  expect(question()).toBeNull();
});

test('names the products of machines, and those without a record', async () => {
  await show({ from: 'machines', names: ['Debian 12'], unmatched: ['Haiku 1'], further: 2 });
  expect(question()).toBeNull();
  expect(
    screen.getByText('For the products of the reported machines: Debian 12; 2 more are left out.'),
  ).toBeTruthy();
  expect(screen.getByText('Without a record in the catalogue: Haiku 1')).toBeTruthy();
});

test('says when all products are ranked because none of mine is known', async () => {
  const frame: FramePreference = { products: { from: 'chosen', products: ['Haiku 1'] } };
  await show({ from: 'chosen', names: [], unmatched: ['Haiku 1'], further: 0 }, frame);
  expect(screen.getByText(/^For all products: the catalogue has no record/)).toBeTruthy();
});

test('changes and forgets a choice', async () => {
  await show(chosen, { products: { from: 'chosen', products: [...chosen.names] } });
  expect(
    screen.getByText(
      'For your products: Debian 12, Windows 11, Windows Server 2019, Windows Server 2022 and 1 more.',
    ),
  ).toBeTruthy();
  await person.click(screen.getByRole('button', { name: 'Change my products' }));
  await person.click(await screen.findByRole('radio', { name: /reported machines run/ }));
  await person.click(screen.getByRole('button', { name: 'Save my products' }));
  await waitFor(() =>
    expect(bodiesSentTo(saveFramePreferenceEndpoint)).toMatchObject([
      { products: { from: 'machines' } },
    ]),
  );
  expect(screen.queryByRole('group', { name: 'My products' })).toBeNull();
  await person.click(screen.getByRole('button', { name: 'Change my products' }));
  await person.click(await screen.findByRole('button', { name: 'Forget my products' }));
  await waitFor(() =>
    expect(bodiesSentTo(saveFramePreferenceEndpoint).at(-1)).toEqual({
      productsQuestion: 'dismissed',
    }),
  );
});
