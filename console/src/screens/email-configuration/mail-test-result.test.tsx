import type { MailTest } from '@patch/contract/mail-calls.ts';
import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { MailTestResult } from './mail-test-result.tsx';

const words = (result: Pick<MailTest, 'success' | 'message'>) => {
  const { container, unmount } = render(<MailTestResult test={{ ...result, stages: [], testedAt: 1 }} />);
  const { textContent } = container;
  unmount();
  return textContent;
};

test('a connection that was made, or not, is told in the words of the specification', () => {
  const made = words({ success: true, message: 'Connected Successfully.' });
  expect(made).toContain('Connected Successfully.');
  expect(made).toContain('Connection was successfully established');
  const failed = words({ success: false, message: 'Unable to connect with provided details.' });
  expect(failed).toContain('Failed to connect.');
  expect(failed).toContain('Unable to connect with provided details.');
});
