import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { renderInApp } from '../testing/render-in-app.tsx';
import { FoldSection } from './fold-section.tsx';
import { ScrollButton } from './scroll-button.tsx';

const scrollIntoView = vi.fn();
beforeEach(() => {
  scrollIntoView.mockReset();
  Element.prototype.scrollIntoView = scrollIntoView;
});

const show = (path = '/') =>
  renderInApp(
    <>
      <h1>Record</h1>
      <ScrollButton to="packages">245 packages</ScrollButton>
      <FoldSection id="packages" Heading="h2" title="Packages" count="245">
        <p>bash-5.1</p>
      </FoldSection>
    </>,
    { path },
  );
const section = async () => (await screen.findByText('bash-5.1')).closest('details');

test('is closed, says how much is in it, and has its content for a search in the page', async () => {
  await show();
  expect((await section())?.open).toBe(false);
  expect(screen.getByRole('heading', { name: 'Packages 245' })).toBeTruthy();
});

test('opens when a link names it', async () => {
  await show('/#packages');
  await waitFor(async () => expect((await section())?.open).toBe(true));
  expect(scrollIntoView).toHaveBeenCalled();
});

test('opens when a button scrolls to it', async () => {
  await show();
  fireEvent.click(await screen.findByRole('button', { name: '245 packages' }));
  expect((await section())?.open).toBe(true);
  expect(scrollIntoView).toHaveBeenCalled();
});
