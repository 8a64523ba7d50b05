/** Describes whether a source or its mirror could be reached. */
import { documentFailureText } from '@patch/catalogue/definition/document-failure-text.ts';
import type { MirrorTest } from '@patch/contract/source-settings-endpoints.ts';
import { formatNumber } from '../widgets/format-number.ts';

export function describeMirrorTest({ mirror, url, problem, milliseconds }: MirrorTest): string {
  if (problem !== null)
    return documentFailureText({
      code: 'not_fetched',
      params: { url, problem, attempts: 1, milliseconds },
    });
  return `${mirror === null ? 'The vendor' : mirror.address} answered in ${formatNumber(milliseconds)} ms.`;
}
