/** What Debian's security tracker says of vulnerabilities in releases where no version fixes them. */
import type { Document, Remark } from '../definition/feed.ts';
import type { PackageStatus, StatusWord } from '../definition/package-status.ts';
import { jsonMembers } from '../parsers/json-members.ts';
import { listMembers } from '../values/object-members.ts';
import { toWord } from '../values/vendor-words.ts';

const cveName = /^CVE-\d{4}-\d{4,19}$/;
const packageName = /^[a-z0-9][a-z0-9+.-]{0,254}$/;

/**
 * Reads the statuses in the releases that `releaseName` maps, without those that Debian calls unimportant (they do not affect the built
 * packages, or nobody supports them) and entries without a CVE id (TEMP-…). Ends with a remark on records of another form.
 */
export async function* readPackageStatuses(
  tracker: Document,
  releaseName: (codename: string) => string | null,
): AsyncGenerator<PackageStatus | Remark> {
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
        const word = readWord(state);
        if (release !== null && word !== null)
          yield { kind: 'status', release, package: name, cve, word };
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

/** Null for a fixed vulnerability, and where Debian's word says neither that the release is affected nor that it is not. */
function readWord(state: unknown): StatusWord | null {
  const members = new Map(listMembers(state));
  const urgency = (toWord(members.get('urgency')) ?? '').replace(/\**$/, '');
  switch (members.get('status')) {
    case 'open':
      return urgency === 'unimportant' ? null : readReason(members.get('nodsa_reason'));
    case 'undetermined':
      return 'undetermined';
    case 'resolved':
      // Version 0 is Debian's mark for releases that are not affected.
      return members.get('fixed_version') === '0' && urgency !== 'end-of-life'
        ? 'not_affected'
        : null;
    default:
      return null;
  }
}

/** Why the security team publishes no advisory. */
const readReason = (reason: unknown): StatusWord =>
  reason === 'ignored' || reason === 'postponed' ? reason : 'open';
