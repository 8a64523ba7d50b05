import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderInApp } from '../testing/render-in-app.tsx';
import { PageHeader } from './page-header.tsx';

test('shows only the title by default', async () => {
  await renderInApp(<PageHeader title="Users" />);
  const title = await screen.findByRole('heading', { level: 1, name: 'Users' });
  expect(title.id).toBe('page-heading');
  expect(screen.queryByRole('link')).toBeNull();
  expect(title.closest('header')?.dataset['divider']).toBeUndefined();
});

test('shows back link, divider, text beside the title and actions when they are set', async () => {
  await renderInApp(
    <PageHeader
      title="KB5034441"
      back={{ to: '/patch-repository/kb-base', label: 'KB base' }}
      beside="12 records"
      actions={<button type="button">Copy</button>}
      divider
    />,
  );
  const title = await screen.findByRole('heading', { level: 1, name: 'KB5034441' });
  expect(screen.getByRole('link', { name: 'KB base' }).getAttribute('href')).toBe(
    '/patch-repository/kb-base',
  );
  expect(title.closest('header')?.dataset['divider']).toBe('true');
  expect(screen.getByText('12 records')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Copy' })).toBeTruthy();
});
