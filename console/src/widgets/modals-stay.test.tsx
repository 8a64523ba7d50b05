import { act, render, screen, waitFor } from '@testing-library/react';
import { Modal } from 'antd';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { person, pressKey } from '../testing/person.ts';
import { AntdTheme } from './antd-theme.tsx';
import { ConfirmHost, confirm } from './confirm-modal.tsx';
import { useReturnFocus } from './use-return-focus.ts';

beforeEach(() => vi.stubGlobal('scrollTo', () => {}));
afterEach(() => vi.unstubAllGlobals());

/** Clicks the mask beside the dialog. */
async function clickMask(): Promise<void> {
  const wrapper = document.querySelector<HTMLElement>('.ant-modal-wrap');
  if (wrapper === null) throw new Error('No dialog is open');
  await person.click(wrapper);
}

function RemovedDialog({ onClose }: { readonly onClose: () => void }) {
  useReturnFocus();
  return <Modal open onCancel={onClose} title="Removed when it closes" />;
}

function OpensDialog() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      {open && <RemovedDialog onClose={() => setOpen(false)} />}
    </>
  );
}

test('a dialog that is removed when it closes returns the focus to its button', async () => {
  render(<OpensDialog />);
  const opener = screen.getByRole('button', { name: 'Open' });
  await person.click(opener);
  const close = await screen.findByRole('button', { name: 'Close' });
  close.focus();
  expect(document.activeElement).toBe(close);
  await person.click(close);
  await waitFor(() => expect(document.activeElement).toBe(opener));
});

describe('a click beside a dialog', () => {
  test('does not close dialogs within AntdTheme', async () => {
    const onCancel = vi.fn<() => void>();
    const { unmount } = render(<Modal open onCancel={onCancel} title="Without theme" />);
    await clickMask();
    expect(onCancel).toHaveBeenCalledOnce();
    onCancel.mockReset();
    unmount();
    render(
      <AntdTheme>
        <Modal open onCancel={onCancel} title="Go to" />
      </AntdTheme>,
    );
    await clickMask();
    expect(onCancel).not.toHaveBeenCalled();
    await pressKey('Escape', document.querySelector('.ant-modal-wrap') as HTMLElement);
    await person.click(screen.getByRole('button', { name: 'Close' }));
    expect(onCancel).toHaveBeenCalled();
  });

  test('does not close a confirmation', async () => {
    render(<ConfirmHost />);
    let outcome = 'open';
    act(() => {
      confirm({}).then(
        () => (outcome = 'confirmed'),
        () => (outcome = 'cancelled'),
      );
    });
    await screen.findByText('Are you sure?');
    await clickMask();
    expect(outcome).toBe('open');
    await person.click(screen.getByRole('button', { name: 'No' }));
  });
});
