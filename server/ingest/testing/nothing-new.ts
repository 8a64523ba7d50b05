/** The message of a run that found nothing new, for tests of other behaviour. */
import type { RunMessage } from '@patch/contract/sources/run-message.ts';

export const nothingNew: RunMessage = {
  code: 'synced',
  params: {
    added: 0,
    changed: 0,
    withdrawn: 0,
    unchangedDocuments: 1,
    recordsRead: null,
    rejected: 0,
    stillRejected: 0,
    unavailable: { first: [], total: 0 },
    failed: { first: [], total: 0 },
  },
};
