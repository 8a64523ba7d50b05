/** Vulnerabilities that Debian's security tracker knows in a release and that no version there fixes. */
import type { Document, UnfixedVulnerability } from '../definition/feed.ts';
import { jsonMembers } from '../parsers/json-members.ts';
import { membersOf } from '../values/object-members.ts';
import { wordOf } from '../values/vendor-words.ts';

const cveName = /^CVE-\d{4}-\d{4,19}$/;
const packageName = /^[a-z0-9][a-z0-9+.-]{0,254}$/;

/**
 * Of releases that `releaseName` names. Without those that Debian calls unimportant: they do not make the packages that it builds
 * vulnerable. Entries that are no CVE (TEMP-…) have no name that others know.
 */
export async function* unfixedVulnerabilities(
  tracker: Document,
  releaseName: (codename: string) => string | null,
): AsyncGenerator<UnfixedVulnerability> {
  for await (const { key: name, value: records } of jsonMembers(tracker)) {
    if (!packageName.test(name)) continue;
    for (const [cve, record] of membersOf(records)) {
      if (!cveName.test(cve)) continue;
      for (const [codename, state] of membersOf(new Map(membersOf(record)).get('releases'))) {
        const release = releaseName(codename);
        if (release !== null && isOpen(state))
          yield { kind: 'unfixed', release, package: name, cve };
      }
    }
  }
}

function isOpen(state: unknown): boolean {
  const said = new Map(membersOf(state));
  const urgency = wordOf(said.get('urgency')) ?? '';
  return said.get('status') === 'open' && !/^unimportant\**$/.test(urgency);
}
