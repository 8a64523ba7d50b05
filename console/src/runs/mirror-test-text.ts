/** Describes whether a source or its mirror could be reached, and what it sent. */
import { documentFailureText } from '@patch/catalogue/definition/document-failure-text.ts';
import type { MirrorTest } from '@patch/contract/sources/source-settings-endpoints.ts';
import { fileSize } from '../values/file-size.ts';
import { formatNumber } from '../widgets/format-number.ts';

export function describeMirrorTest(test: MirrorTest): string {
  const { mirror, url, problem, milliseconds, size, format } = test;
  if (problem === null) {
    const what = [format, size === null ? null : fileSize(size)].filter((word) => word !== null);
    return `${mirror === null ? 'The vendor' : `The mirror ${mirror.address}`} sent ${url} (${what.join(', ')}) in ${formatNumber(milliseconds)} ms.`;
  }
  if (mirror === null)
    return documentFailureText({
      code: 'not_fetched',
      params: { url, problem, attempts: 1, milliseconds },
    });
  if (problem.code === 'status' && problem.params.status === 404)
    return `The mirror ${mirror.address} has no copy of ${url} (404). Fill it again, or check its address.`;
  return `Through the mirror ${mirror.address}: ${documentFailureText({ code: 'not_fetched', params: { url, problem, attempts: 1, milliseconds } })}`;
}
