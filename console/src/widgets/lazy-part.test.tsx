import { specified } from '@patch/catalogue/testing/specified.ts';
import { act, render, screen } from '@testing-library/react';
import { Component, type FunctionComponent, type ReactNode, useState } from 'react';
import { expect, test, vi } from 'vitest';
import { fillIn, person } from '../testing/person.ts';
import { LazyPart, lazyComponent } from './lazy-part.tsx';

const Dialog = () => <div role="dialog">Dialog</div>;
const lost = () => new TypeError('Failed to fetch dynamically imported module: /assets/x.js');

/** A page whose button opens a part that loads when `load` settles. */
function renderPage(load: () => Promise<FunctionComponent>): void {
  const Late = lazyComponent(load);
  function Page() {
    const [open, setOpen] = useState(false);
    return (
      <>
        <input aria-label="Note" />
        <button type="button" onClick={() => setOpen(true)}>
          Open
        </button>
        {open && (
          <LazyPart>
            <Late />
          </LazyPart>
        )}
      </>
    );
  }
  render(<Page />);
}

const open = () => person.click(screen.getByRole('button', { name: 'Open' }));

test('says that a part loads after the specified time, until it arrives', async () => {
  const loading = Promise.withResolvers<FunctionComponent>();
  renderPage(() => loading.promise);
  await open();
  expect(screen.getByRole('status', { name: 'Loading' }).style.animationDelay).toBe(
    `${specified.times.showsLoading}ms`,
  );
  await act(async () => loading.resolve(Dialog));
  expect(await screen.findByRole('dialog')).toBeTruthy();
  expect(screen.queryByRole('status')).toBeNull();
});

test('opens the part after another try, and keeps what was typed beside it', async () => {
  const load = vi
    .fn<() => Promise<FunctionComponent>>()
    .mockRejectedValueOnce(lost())
    .mockRejectedValueOnce(lost())
    .mockResolvedValue(Dialog);
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  renderPage(load);
  await fillIn(screen.getByLabelText('Note'), 'typed');
  await open();
  expect((await screen.findByRole('alert')).textContent).toContain(specified.errors.chunk);
  expect(load).toHaveBeenCalledTimes(1);
  await person.click(screen.getByRole('button', { name: 'Try again' }));
  await person.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('dialog')).toBeTruthy();
  expect(load).toHaveBeenCalledTimes(3);
  expect(screen.getByLabelText<HTMLInputElement>('Note').value).toBe('typed');
  logged.mockRestore();
});

class Outer extends Component<{ readonly children: ReactNode }> {
  override readonly state = { words: '' };
  static getDerivedStateFromError = (failure: Error) => ({ words: failure.message });
  override render = () => (this.state.words === '' ? this.props.children : this.state.words);
}

test('leaves an error of the part itself to the page', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const Late = lazyComponent<object>(async () => () => {
    throw new Error('a is undefined');
  });
  render(
    <Outer>
      <LazyPart>
        <Late />
      </LazyPart>
    </Outer>,
  );
  expect(await screen.findByText('a is undefined')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
  logged.mockRestore();
});
