/** Risk columns of every list whose records name CVEs. Values come from the risk sources: see docs/decisions/036. */
import { decimal, flag } from '../definition/fields.ts';

const ofCves =
  'Of the CVEs that the record names; empty where it names none, or none that is scored.';

export const riskFields = {
  exploited: flag('Exploited', {
    badge: 'danger',
    risk: 'exploited',
    help: 'Known exploited, by CISA or the vendor. Empty where neither can say: no CVE is named.',
  }),
  epss: decimal('EPSS', {
    risk: 'epss',
    share: 'probability',
    help: `The highest probability, from 0 to 1, that a vulnerability is exploited within 30 days (FIRST). ${ofCves}`,
  }),
  cvss: decimal('CVSS', {
    risk: 'cvss',
    help: `The highest base score, from 0 to 10. ${ofCves}`,
  }),
} as const;

export const riskSearchable = ['exploited', 'epss', 'cvss'] as const;

/**
 * Every list names this field `superseded`.
 * @param help who states it
 */
export const supersededFlag = (help: string) => flag('Superseded', { badge: 'muted', help });

/**
 * For vendors that state exploitation themselves, in addition to the risk sources.
 * @param help who states it
 */
export const exploitedFlag = (help: string) =>
  flag('Exploited', { badge: 'danger', risk: 'exploited', alsoVendor: true, help });
