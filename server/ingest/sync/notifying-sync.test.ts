import { expect, test, vi } from 'vitest';
import { notifyingSync } from './notifying-sync.ts';

test('notifies after each change, also after one that was refused', async () => {
  const notify = vi.fn();
  const refused = new Error('It runs already');
  const sync = notifyingSync(
    {
      start: () => Promise.reject(refused),
      cancel: () => Promise.reject(refused),
      keepSchedules: () => undefined,
    },
    { notify },
  );
  await expect(sync.start('wsus', 'Operator')).rejects.toBe(refused);
  expect(notify).toHaveBeenCalledTimes(1);
  await expect(sync.cancel('wsus', 'Operator')).rejects.toBe(refused);
  expect(notify).toHaveBeenCalledTimes(2);
  sync.keepSchedules();
  expect(notify).toHaveBeenCalledTimes(3);
});
