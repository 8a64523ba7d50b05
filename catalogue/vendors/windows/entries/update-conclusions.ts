/** Conclusions about an update for the KB base and the patch list. */
import type { Conclusion } from '../../../definition/feed.ts';
import type { KbFacts } from '../conclusions/kb-facts.ts';
import { windowsKbBaseList } from '../lists/windows-kb-base-list.ts';
import { windowsPatchList } from '../lists/windows-patch-list.ts';
import type { OfferedUpdate } from '../scan-file/offered-updates.ts';

/** An update with several KBs is one patch, under the first of them. */
export function* createUpdateConclusions(
  { key, uuid }: Pick<OfferedUpdate, 'key' | 'uuid'>,
  facts: KbFacts,
): Generator<Conclusion> {
  const { releaseDate, severity, exploited, superseded, supersedes, supersededBy, cve } = facts;
  const shared = {
    releaseDate,
    severity,
    superseded,
    cve,
    supersededBy,
    kbIdToBeInstalled: facts.toInstall,
  };
  yield {
    kind: 'conclusion',
    list: windowsKbBaseList,
    key,
    values: { ...shared, exploited, supersedes },
  };
  if (key === uuid) yield { kind: 'conclusion', list: windowsPatchList, key, values: shared };
}
