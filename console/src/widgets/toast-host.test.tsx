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
function tell(...telling: (() => void)[]): void {
  act(() => telling.forEach((one) => one()));
}
const shown = (words: string) => screen.queryByText(words) !== null;

describe('a toast', () => {
  test('says what was done, in the specification’s words when it has none of its own, for 3 seconds', () => {
    tell(() => toast.success());
    const words = specified.errors.done;
    expect(shown(words)).toBe(true);
    after(specified.times.toast - 1);
    expect(shown(words)).toBe(true);
    after(1);
    expect(shown(words)).toBe(false);
  });

  test('stands 10 pixels from the top, at most three at once: the oldest goes', () => {
    const told = Array.from(
      { length: specified.toasts.atOnce + 1 },
      (_, place) => `toast ${place}`,
    );
    tell(...told.map((words) => () => toast.success(words)));
    expect(told.map(shown)).toEqual([false, ...told.slice(1).map(() => true)]);
    const [place] = screen.getAllByRole('status');
    expect(place?.style.top).toBe(`${specified.toasts.top}px`);
  });

  test('of what is at work stays until it is dismissed', () => {
    let done = () => {};
    tell(() => {
      done = toast.loading('Exporting…');
    });
    after(60_000);
    expect(shown('Exporting…')).toBe(true);
    tell(() => done());
    expect(shown('Exporting…')).toBe(false);
  });

  test('does not leave while the pointer rests on it', async () => {
    tell(() => toast.success('read me'));
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
  test('takes a toast’s place where more is to be said, for 3 seconds at the right', () => {
    tell(() => toast.notice('Restored', 'The lists are as they were on Friday.'));
    expect(shown('The lists are as they were on Friday.')).toBe(true);
    const place = screen.getByText('Restored').closest<HTMLElement>('[style]');
    expect(place?.style.top).toBe(`${specified.toasts.top}px`);
    expect(place?.className).toContain('right');
    after(specified.times.notification - 1);
    expect(shown('Restored')).toBe(true);
    after(1);
    expect(shown('Restored')).toBe(false);
  });

  test('of a failure stays 10 seconds, names its request, and can be dismissed', async () => {
    tell(() =>
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

  test('with a title has what the server says below it', () => {
    tell(() => toast.failure(new ApiCallError(409, 'running', 'It runs already.'), 'Error'));
    expect([shown('Error'), shown('It runs already.')]).toEqual([true, true]);
  });

  test('is not shown of a cancelled call, nor of a refused session', () => {
    tell(
      () => toast.failure(new ApiCallCancelled()),
      () => toast.failure(new ApiCallError(401, 'session_ended', 'The session has ended.')),
    );
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
