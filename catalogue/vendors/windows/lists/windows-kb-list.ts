/** List of Windows KBs by product from Microsoft's security update guide: the home list. */
import {
  choice,
  date,
  day,
  flag,
  identifier,
  identifiers,
  link,
  number,
  prose,
  size,
  tags,
  text,
} from '../../../definition/fields.ts';
import { defineList } from '../../../definition/list-definition.ts';
import { riskFields } from '../../../schemas/risk-fields.ts';
import { severities } from '../../../schemas/severities.ts';
import { exploitedFlag, supersededFlag } from '../../../schemas/status-flags.ts';
import { contradictionsTable, supersedenceTable } from '../../../schemas/supersedence-table.ts';
import { kbLines } from '../names/kb-lines.ts';
import { releaseDatesTable } from './release-dates-table.ts';
import { cwePage, guidanceTables } from './windows-guidance-tables.ts';
import { stateReadAt } from './windows-scan-facts.ts';

const kbPage = 'https://support.microsoft.com/help/{digits}';

export const windowsKbList = defineList({
  key: 'patch_repository',
  label: 'Patch repository',
  shortLabel: 'Patch repository',
  source: 'wsus',
  route: '',
  searchPath: '/windows/kb/search',
  detailPath: '/windows/kb/{id}',
  fields: {
    name: text('Name'),
    productName: text('Product'),
    paramName: identifier('Product parameter', {
      technical: true,
      help: 'The product as one word, for use in scripts.',
    }),
    productFamily: text('Product family'),
    component: tags('Components', {
      help: 'The parts of the product that the fixed vulnerabilities are in.',
    }),
    kbId: identifier('KB', { page: kbPage }),
    severity: choice('Severity', severities, {
      look: 'severity',
      help: 'The highest of the vulnerabilities that the KB fixes in the product.',
    }),
    impact: text('Impact'),
    releaseDate: day('Release date'),
    latestKb: identifier('Latest KB', {
      page: kbPage,
      help: 'The newest KB that is known to replace this one on the product, directly or through others; itself when none is known.',
    }),
    cve: identifiers('CVEs', { page: 'https://msrc.microsoft.com/update-guide/vulnerability/{}' }),
    supersedes: identifiers('Supersedes', { page: kbPage }),
    supersededBy: identifiers('Superseded by', { page: kbPage }),
    superseded: supersededFlag('Whether a KB is known that replaces it on the product.'),
    architecture: tags('Architecture'),
    restartBehaviour: text('Restart behaviour'),
    exploited: exploitedFlag(
      'Microsoft says that one of the fixed vulnerabilities is exploited, or CISA lists one as known exploited. Empty where neither says anything.',
    ),
    publiclyDisclosed: flag('Publicly disclosed', {
      help: 'Microsoft says that one of the fixed vulnerabilities was public before the fix. Empty where it says nothing of some and yes of none.',
    }),
    epss: riskFields.epss,
    cvss: riskFields.cvss,
    createdTime: date('Created', { stamped: 'created' }),
    updatedTime: date('Updated', { stamped: 'updated' }),
  },
  columns: [
    'releaseDate',
    'id',
    'name',
    'productName',
    'paramName',
    'component',
    'kbId',
    'severity',
    'impact',
  ],
  searchable: [
    'id',
    'name',
    'productName',
    'component',
    'kbId',
    'impact',
    'latestKb',
    'cve',
    'supersedes',
    'superseded',
    'severity',
    'releaseDate',
    'updatedTime',
    'createdTime',
    'exploited',
    'publiclyDisclosed',
    'epss',
    'cvss',
  ],
  identity: ['kbId', 'name'],
  lookups: ['productName'],
  facets: ['severity', 'productName', 'impact', 'exploited', 'superseded', 'releaseDate'],
  defaultSort: '-releaseDate',
  countedBy: 'kbId',
  detail: {
    facts: {
      kbBaseId: number('KB base record', { technical: true }),
      title: text('Title'),
      uuid: identifier('UUID', { technical: true }),
      classification: text('Classification'),
      updateType: text('Update type', {
        help: "The security update guide's own word: Security Update, Monthly Rollup, Servicing Stack Update.",
      }),
      description: prose('Description'),
      fixedBuild: identifiers('Fixed build'),
      releaseDateSource: text('Release date stated by'),
      line: choice('Servicing line', kbLines, {
        help: 'Updates replace each other within a line, not across lines.',
      }),
      branch: identifier('Branch', { help: 'Fixed builds are compared within it.', sparse: true }),
      kbIdToBeInstalled: identifier('KB to be installed', {
        page: kbPage,
        help: 'On this product, as far as the evidence goes; none where it ends.',
        sparse: true,
      }),
      installEvidence: prose('Evidence'),
      stateReadAt,
      newestCumulativeKb: identifier('Newest cumulative update', {
        page: kbPage,
        help: 'The one with the highest fixed build that is listed for the product.',
        sparse: true,
      }),
      size: size('Size'),
      supportUninstallation: flag('Can be uninstalled'),
      uninstallNotes: prose('How to uninstall'),
      uninstallRestartBehaviour: text('Restart after uninstalling'),
      referenceLink: link('Support article'),
      downloadUrl: link('Update catalogue'),
      omitted: text('Left out', {
        help: 'What would make the record too large. It is in the security update guide.',
        sparse: true,
      }),
      createdAt: date('Created', { stamped: 'created' }),
      updatedAt: date('Updated', { stamped: 'updated' }),
    },
    tables: {
      // Tables to read before an installation come first.
      knownIssues: guidanceTables.knownIssues,
      advice: guidanceTables.advice,
      vulnerabilities: {
        label: 'Vulnerabilities',
        fields: {
          cve: identifier('CVE', {
            page: 'https://msrc.microsoft.com/update-guide/vulnerability/{}',
          }),
          title: text('Title'),
          severity: choice('Severity', severities, { look: 'severity' }),
          vendorSeverity: text("Vendor's severity", {
            help: "Microsoft's word for a severity that this service does not know.",
          }),
          exploited: text('Exploitability', {
            help: "Microsoft's Exploit Status for the product.",
          }),
          impact: text('Impact'),
          component: text('Component'),
          cvss: text('CVSS'),
          cwe: identifiers('CWEs', { page: cwePage }),
          vector: identifier('Vector'),
        },
      },
      faq: guidanceTables.faq,
      weaknesses: guidanceTables.weaknesses,
      supersedence: supersedenceTable(kbPage),
      releaseDates: releaseDatesTable,
      contradictions: contradictionsTable,
      fileDetails: {
        label: 'Files',
        fields: {
          name: identifier('Name'),
          size: size('Size'),
          checksum: identifier('Checksum'),
          downloadUrl: link('Download'),
        },
      },
    },
    scores: { by: 'Microsoft', table: 'vulnerabilities', score: 'cvss', vector: 'vector' },
    supersedence: {
      name: 'kbId',
      within: 'productName',
      table: 'supersedence',
      last: 'kbIdToBeInstalled',
      evidence: 'installEvidence',
      contradictions: 'contradictions',
    },
  },
});
