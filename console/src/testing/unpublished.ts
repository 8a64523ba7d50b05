/** What a service says that publishes no catalogue. */
import type { Publishing } from '@patch/contract/licensing/publishing-endpoint.ts';

export const unpublished: Publishing = {
  state: 'off',
  place: null,
  triedAt: null,
  publishedAt: null,
  reason: null,
};
