/** Vulnerabilities that Debian's security tracker lists in a release and that no version there fixes. */
import type { Document, Remark, UnfixedVulnerability } from '../definition/feed.ts';
import { jsonMembers } from '../parsers/json-members.ts';
import { listMembers } from '../values/object-members.ts';
import { toWord } from '../values/vendor-words.ts';

const cveName = /^CVE-\d{4}-\d{4,19}$/;
const packageName = /^[a-z0-9][a-z0-9+.-]{0,254}$/;

/**
 * Reads the open vulnerabilities of the releases that `releaseName` maps, without those that Debian calls unimportant (they do not affect
 * the built packages) and entries without a CVE id (TEMP-…). Ends with a remark on records of another form.
 */
export async function* readUnfixedVulnerabilities(
  tracker: Document,
  releaseName: (codename: string) => string | null,
): AsyncGenerator<UnfixedVulnerability | Remark> {
  const odd: string[] = [];
  for await (const { key: name, value: records } of jsonMembers(tracker)) {
    if (!packageName.test(name)) continue;
    if (!isObject(records)) odd.push(name);
    for (const [cve, record] of listMembers(records)) {
      if (!cveName.test(cve)) continue;
      const releases = new Map(listMembers(record)).get('releases');
      // One real entry has an empty list instead of its releases.
      if (!isObject(releases) && !isEmptyList(releases)) odd.push(`${name} ${cve}`);
      for (const [codename, state] of listMembers(releases)) {
        const release = releaseName(codename);
        if (release !== null && isOpen(state))
          yield { kind: 'unfixed', release, package: name, cve };
      }
    }
  }
  if (odd.length > 0)
    yield {
      kind: 'remark',
      remark: `records of ${tracker.url} that have another form were left out: ${odd.length} (for example ${odd[0]})`,
    };
}

const isObject = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

function isOpen(state: unknown): boolean {
  const members = new Map(listMembers(state));
  const urgency = toWord(members.get('urgency')) ?? '';
  return members.get('status') === 'open' && !/^unimportant\**$/.test(urgency);
}
