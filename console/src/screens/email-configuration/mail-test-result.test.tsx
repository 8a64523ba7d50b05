import { specified } from '@patch/catalogue/testing/specified.ts';
import type { MailTest } from '@patch/contract/mail-endpoints.ts';
import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { MailTestResult } from './mail-test-result.tsx';

const words = (result: Pick<MailTest, 'success' | 'message'>) => {
  const { container, unmount } = render(
    <MailTestResult test={{ ...result, stages: [], testedAt: 1 }} />,
  );
  const { textContent } = container;
  unmount();
  return textContent;
};

const { connected, connectionEstablished, connectFailed, unableToConnect } =
  specified.catalogueMessages;

test('a connection that was made, or not, is told in the words of the specification', () => {
  const made = words({ success: true, message: connected });
  expect(made).toContain(connected);
  expect(made).toContain(connectionEstablished);
  const failed = words({ success: false, message: unableToConnect });
  expect(failed).toContain(connectFailed);
  expect(failed).toContain(unableToConnect);
});
