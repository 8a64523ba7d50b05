import { render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { person } from '../testing/person.ts';
import { Popover } from './popover.tsx';
import { hasOpenPopup } from './popover-panel.tsx';

const onRow = vi.fn();

function Page({ inner = false }: { readonly inner?: boolean }) {
  const [open, setOpen] = useState(true);
  return (
    <>
      <Popover
        open={open}
        onClose={() => setOpen(false)}
        label="Criterion"
        content={<span {...{ [hasOpenPopup]: inner || undefined }}>Day</span>}
      >
        <button type="button">Add criterion</button>
      </Popover>
      <p role="presentation" onClick={onRow}>
        <a href="#record">A record</a> <button type="button">Copy</button>
      </p>
    </>
  );
}

async function mounted(inner = false): Promise<void> {
  onRow.mockReset();
  render(<Page inner={inner} />);
  await screen.findByRole('dialog', { name: 'Criterion' });
}
/** Clicks and returns true unless the default action was prevented. */
async function press(target: Element): Promise<boolean> {
  let click: Event | undefined;
  const note = (event: Event) => void (click = event);
  addEventListener('click', note, true);
  await person.click(target);
  removeEventListener('click', note, true);
  return click?.defaultPrevented === false;
}
const closed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

test('closes on a click outside, which does not reach the page', async () => {
  await mounted();
  expect(await press(screen.getByText('A record'))).toBe(false);
  await closed();
  expect(onRow).not.toHaveBeenCalled();
  expect(await press(screen.getByText('A record'))).toBe(true);
  expect(onRow).toHaveBeenCalledTimes(1);
});

test('closes on a click on a button outside, which works at once', async () => {
  await mounted();
  await press(screen.getByRole('button', { name: 'Copy' }));
  await closed();
  expect(onRow).toHaveBeenCalledTimes(1);
});

test('lets Enter follow a link after a press outside without a click', async () => {
  await mounted();
  await person.pointer({ keys: '[MouseLeft>]', target: screen.getByText('A record') });
  await closed();
  screen.getByText('A record').focus();
  await person.keyboard('{Enter}');
  expect(onRow).toHaveBeenCalledTimes(1);
});

test('stays open on a click outside while its content has an open popup', async () => {
  await mounted(true);
  await press(screen.getByText('A record'));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(screen.getByRole('dialog', { name: 'Criterion' })).toBeTruthy();
  expect(onRow).not.toHaveBeenCalled();
});
