import { specified } from '@patch/catalogue/testing/specified.ts';
import { act, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiCallCancelled, ApiCallError } from '../api/api-call-error.ts';
import { toast } from '../api/toast.ts';
import { person } from '../testing/person.ts';
import { ToastHost } from './toast-host.tsx';

beforeEach(() => {
  vi.useFakeTimers();
  render(<ToastHost />);
});
afterEach(() => vi.useRealTimers());

function after(milliseconds: number): void {
  act(() => void vi.advanceTimersByTime(milliseconds));
}
function run(...actions: (() => void)[]): void {
  act(() => actions.forEach((action) => action()));
}
const shown = (words: string) => screen.queryByText(words) !== null;

describe('a toast', () => {
  test('shows the specified default text for 3 seconds', () => {
    run(() => toast.success());
    const words = specified.errors.done;
    expect(shown(words)).toBe(true);
    after(specified.times.toast - 1);
    expect(shown(words)).toBe(true);
    after(1);
    expect(shown(words)).toBe(false);
  });

  test('is shown 10 pixels from the top and replaces the oldest of three', () => {
    const texts = Array.from(
      { length: specified.toasts.atOnce + 1 },
      (_, index) => `toast ${index}`,
    );
    run(...texts.map((text) => () => toast.success(text)));
    expect(texts.map(shown)).toEqual([false, ...texts.slice(1).map(() => true)]);
    const [host] = screen.getAllByRole('status');
    expect(host?.style.top).toBe(`${specified.toasts.top}px`);
  });

  test('stays until it is dismissed when it shows progress', () => {
    let done = () => {};
    run(() => {
      done = toast.loading('Exporting…');
    });
    after(60_000);
    expect(shown('Exporting…')).toBe(true);
    run(() => done());
    expect(shown('Exporting…')).toBe(false);
  });

  test('stays while the pointer is over it', async () => {
    run(() => toast.success('read me'));
    const message = screen.getByText('read me').closest('[data-kind]') as HTMLElement;
    await person.hover(message);
    after(20_000);
    expect(shown('read me')).toBe(true);
    await person.unhover(message);
    after(specified.times.toast);
    expect(shown('read me')).toBe(false);
  });
});

describe('a notification', () => {
  test('shows title and description at the right for 3 seconds', () => {
    run(() => toast.notice('Restored', 'The lists are as they were on Friday.'));
    expect(shown('The lists are as they were on Friday.')).toBe(true);
    const host = screen.getByText('Restored').closest<HTMLElement>('[style]');
    expect(host?.style.top).toBe(`${specified.toasts.top}px`);
    expect(host?.className).toContain('right');
    after(specified.times.notification - 1);
    expect(shown('Restored')).toBe(true);
    after(1);
    expect(shown('Restored')).toBe(false);
  });

  test('shows a failure with its request id for 10 seconds or until it is dismissed', async () => {
    run(() =>
      toast.failure(
        new ApiCallError(500, 'broken', 'The database is away.', { requestId: 'req-7' }),
      ),
    );
    const alert = within(screen.getByRole('alert'));
    expect(alert.getByText('The database is away.')).toBeTruthy();
    expect(alert.getByText('req-7')).toBeTruthy();
    after(9999);
    await person.click(alert.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('shows the message of the server below a given title', () => {
    run(() => toast.failure(new ApiCallError(409, 'running', 'It runs already.'), 'Error'));
    expect([shown('Error'), shown('It runs already.')]).toEqual([true, true]);
  });

  test('is not shown for a cancelled call or a 401', () => {
    run(
      () => toast.failure(new ApiCallCancelled()),
      () => toast.failure(new ApiCallError(401, 'session_ended', 'The session has ended.')),
    );
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
