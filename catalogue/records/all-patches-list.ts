/** The list of every vendor's listed records: a view of the index of records. */
import {
  choice,
  date,
  day,
  flag,
  identifier,
  identifiers,
  number,
  tags,
  text,
} from '../definition/fields.ts';
import { defineList } from '../definition/list-definition.ts';
import { riskFields, supersededFlag } from '../schemas/risk-fields.ts';
import { severities } from '../schemas/severities.ts';

/**
 * The name of the order in which records are worth patching: known exploited ones, of these the newest, then the others by severity, of
 * each the newest. Nothing else decides it: see docs/decisions/084.
 */
export const patchFirst = 'patchFirst';
/** The order of who asks for the latest. */
export const newestFirst = 'newest';

/** An update of several products has its highest severity here; a machine counts that of its own product. */
const severityOn = (label: string, words: string) =>
  identifiers(`${label} on`, {
    help: `As Missing on, where the record is ${words} for the machine's product.`,
  });

const missingOfSeverity = {
  criticalOn: severityOn('Critical', 'critical'),
  importantOn: severityOn('Important', 'important'),
  moderateOn: severityOn('Moderate', 'moderate'),
  lowOn: severityOn('Low', 'low'),
  unspecifiedOn: severityOn('Without severity', 'without severity'),
};

export const allPatchesList = defineList({
  key: 'all_patches',
  label: 'All patches',
  shortLabel: 'All patches',
  source: null,
  viewOf: 'stored_record',
  route: 'all-patches',
  searchPath: '/records/search',
  detailPath: '/records/{id}',
  fields: {
    identifier: identifier('Identifier', {
      help: 'What the vendor calls the record: a KB, an advisory, a package.',
    }),
    title: text('Title'),
    vendor: text('Vendor'),
    release: tags('Product or release', {
      help: 'The products or the releases of a distribution that the record is for.',
    }),
    severity: choice('Stated severity', severities, {
      look: 'severity',
      help: "The vendor's word on the scale that all lists share.",
    }),
    ratedSeverity: choice('Severity or CVSS', severities, {
      look: 'severity',
      risk: 'severity',
      stated: 'severity',
      help: "The vendor's severity. Where the vendor states none, the highest rating that follows from the CVSS scores of the CVEs (NVD, CNAs, vendors).",
    }),
    vendorSeverity: text("Vendor's severity", { help: 'As the vendor writes it.' }),
    exploited: riskFields.exploited,
    ransomware: flag('Ransomware', {
      risk: 'ransomware',
      help: 'CISA knows of ransomware that uses one of the CVEs. Never No: what is not known is not ruled out.',
    }),
    epss: riskFields.epss,
    cvss: riskFields.cvss,
    cve: identifiers('CVEs', { page: 'https://www.cve.org/CVERecord?id={}' }),
    packages: identifiers('Packages', { help: 'Names of the packages that the record brings.' }),
    releaseDate: day('Release date'),
    createdTime: date('First seen here', {
      stamped: 'created',
      help: 'When this repository first read the record; the vendor may have released it earlier.',
    }),
    superseded: supersededFlag('The vendor says that another record replaces it.'),
    list: identifier('List', { help: 'The key of the list that the record stands in.' }),
    recordId: number('Record number', { help: 'In that list.' }),
    folded: flag('Folded', {
      help: 'Another record stands for the same update: found only with includeFolded.',
    }),
  },
  criteria: {
    supersededFor: identifiers('Superseded for', {
      ofUpdates: true,
      help: 'A product or release: the vendor says that another record replaces it there. Superseded is an update only where it is replaced for all of its products.',
    }),
    missingOn: identifiers('Missing on', {
      help: "The name, the key or #number of a client's machine that certainly misses the record and has not accepted it.",
    }),
    ...missingOfSeverity,
    exploitedOn: identifiers('Exploited on', {
      help: "As Missing on, where the record is known exploited for the machine's product.",
    }),
    overdueOn: identifiers('Overdue on', {
      help: 'As Missing on, where the due date is over by the policies of the groups of the machine.',
    }),
    mayBeMissingOn: identifiers('May be missing on', {
      help: 'As Missing on, where the inventory does not show it, or only subscribers receive the fix.',
    }),
    needsSubscriptionOn: identifiers('Needs a subscription on', {
      help: 'As Missing on, where only subscribers receive the fix (Ubuntu Pro).',
    }),
    acceptedOn: identifiers('Accepted on', {
      help: 'As Missing on, where an administrator has accepted for now that the record is missing.',
    }),
    missingIn: identifiers('Missing in', {
      help: 'As Missing at, of a group of machines.',
    }),
    missingAt: identifiers('Missing at', {
      help: 'The name or #number of a licensed client with a machine that the record is missing on.',
    }),
  },
  columns: [
    'identifier',
    'title',
    'vendor',
    'release',
    'ratedSeverity',
    'exploited',
    'cvss',
    'epss',
    'releaseDate',
  ],
  searchable: [
    'title',
    'identifier',
    'vendor',
    'release',
    'ratedSeverity',
    'severity',
    'vendorSeverity',
    'exploited',
    'ransomware',
    'epss',
    'cvss',
    'cve',
    'packages',
    'releaseDate',
    'createdTime',
    'superseded',
    'list',
    'recordId',
    'id',
  ],
  identity: ['identifier', 'title'],
  facets: [
    'ratedSeverity',
    'vendor',
    'release',
    'exploited',
    'severity',
    'superseded',
    'releaseDate',
  ],
  defaultSort: '-releaseDate',
  opens: { sort: patchFirst, criteria: 'superseded.not_equal.true' },
  compoundSorts: {
    [patchFirst]: {
      label: 'What to patch first',
      fields:
        '-exploited if exploited,-releaseDate if exploited,-ransomware,-ratedSeverity,-releaseDate,-epss',
      currentFirst: true,
    },
    [newestFirst]: {
      label: 'Newest first',
      fields: '-releaseDate,-ratedSeverity',
      currentFirst: true,
    },
  },
});
