import { specified } from '@patch/catalogue/testing/specified.ts';
import type { MailTest } from '@patch/contract/operations/mail-endpoints.ts';
import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { MailTestResult } from './email-form.tsx';

const getText = (result: Pick<MailTest, 'success' | 'message'>) => {
  const { container, unmount } = render(
    <MailTestResult test={{ ...result, stages: [], testedAt: 1 }} />,
  );
  const { textContent } = container;
  unmount();
  return textContent;
};

const { connected, connectionEstablished, connectFailed, unableToConnect } =
  specified.catalogueMessages;

test('reports a successful or failed connection in the words of the specification', () => {
  const success = getText({ success: true, message: connected });
  expect(success).toContain(connected);
  expect(success).toContain(connectionEstablished);
  const failed = getText({ success: false, message: unableToConnect });
  expect(failed).toContain(connectFailed);
  expect(failed).toContain(unableToConnect);
});
