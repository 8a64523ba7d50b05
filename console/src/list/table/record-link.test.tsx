import { getField } from '@patch/catalogue/definition/list-definition.ts';
import { getList } from '@patch/catalogue/lists.ts';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { RecordLink } from './headline-cell.tsx';

const list = getList('all_patches');
const uuid = '56dbe6de-56d8-5dc4-ae67-cab3197c7e77';

const show = (row: { readonly identifier: string; readonly title?: string }) =>
  renderInApp(
    <RecordLink
      list={list}
      row={{ id: 7, ...row }}
      field={getField(list, 'identifier')}
      name="identifier"
    />,
  );

test('shows the title instead of a UUID, which the tip shows', async () => {
  await show({ identifier: uuid, title: 'Vivaldi' });
  expect((await screen.findByRole('link', { name: 'Vivaldi' })).dataset['tip']).toBe(uuid);
});

test.each([{ identifier: uuid }, { identifier: 'KB5095051', title: 'Windows 11' }])(
  'shows the identifier of %j',
  async (row) => {
    await show(row);
    expect((await screen.findByRole('link')).textContent).toBe(row.identifier);
  },
);
