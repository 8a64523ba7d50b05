/** List of the updates that Windows Update offers, by KB number, from the offline scan file. */
import {
  choice,
  day,
  flag,
  identifier,
  identifiers,
  link,
  prose,
  size,
  tags,
  text,
} from '../../../definition/fields.ts';
import { defineList } from '../../../definition/list-definition.ts';
import { riskFields, riskSearchable } from '../../../schemas/risk-fields.ts';
import { severities } from '../../../schemas/severities.ts';
import { exploitedFlag, supersededFlag } from '../../../schemas/status-flags.ts';
import { guidanceTables } from './windows-guidance-tables.ts';
import { scanFacts } from './windows-scan-facts.ts';

export const kbClassifications = [
  'Critical Updates',
  'Definition Updates',
  'Feature Packs',
  'Security Updates',
  'Service Packs',
  'Tools',
  'Update Rollups',
  'Updates',
  'Upgrades',
  'Hotfix',
] as const;

export const windowsKbBaseList = defineList({
  key: 'kb_repository',
  label: 'KB base',
  shortLabel: 'KB base',
  source: 'wsus',
  route: 'kb-base',
  searchPath: '/windows/patch/search/kb-base',
  detailPath: '/windows/patch/kb-base/{id}',
  fields: {
    kbId: identifier('KB', { page: 'https://support.microsoft.com/help/{digits}' }),
    title: text('Title'),
    releaseDate: day('Release date'),
    category: choice('Classification', kbClassifications),
    severity: choice('Severity', severities, { look: 'severity' }),
    productName: tags('Products'),
    size: size('Size'),
    architecture: tags('Architecture'),
    restartBehaviour: text('Restart behaviour'),
    supportUninstallation: flag('Can be uninstalled'),
    cabExists: flag('CAB exists'),
    superseded: supersededFlag(
      'By the security update guide, fixed builds and Windows Update together. Empty where it is not known, or differs between products.',
    ),
    uuid: identifier('UUID', { technical: true }),
    ...riskFields,
    exploited: exploitedFlag(
      'Microsoft says that one of the fixed vulnerabilities is exploited, or CISA lists one as known exploited. Empty where neither says anything.',
    ),
  },
  columns: ['kbId', 'title', 'releaseDate', 'category', 'severity', 'productName'],
  searchable: [
    'title',
    'uuid',
    'kbId',
    'productName',
    'architecture',
    'restartBehaviour',
    'cabExists',
    'severity',
    'category',
    'releaseDate',
    'superseded',
    ...riskSearchable,
  ],
  filterName: { productName: 'products', architecture: 'arch', category: 'classification' },
  identity: ['kbId', 'uuid', 'title'],
  facets: ['severity', 'category', 'productName', 'exploited', 'superseded', 'releaseDate'],
  defaultSort: '-releaseDate',
  countedBy: 'kbId',
  concluded: [
    'releaseDate',
    'severity',
    'superseded',
    'exploited',
    'cve',
    'supersedes',
    'supersededBy',
    'kbIdToBeInstalled',
  ],
  detail: {
    facts: {
      description: prose('Description'),
      referenceLink: link('Support article'),
      supersedes: identifiers('Supersedes'),
      supersededBy: identifiers('Superseded by'),
      cve: identifiers('CVEs', {
        page: 'https://msrc.microsoft.com/update-guide/vulnerability/{}',
      }),
      kbIdToBeInstalled: identifier('KB to be installed', {
        page: 'https://support.microsoft.com/help/{digits}',
        sparse: true,
      }),
      ...scanFacts,
      ownDate: day('Release date in Windows Update', { technical: true }),
      ownSuperseded: flag('Superseded in Windows Update', { technical: true }),
      ownSupersedes: identifiers('Supersedes in Windows Update', { technical: true }),
      ownSupersededBy: identifiers('Superseded by in Windows Update', { technical: true }),
      ownCve: identifiers('CVEs in Windows Update', { technical: true }),
    },
    tables: {
      knownIssues: guidanceTables.knownIssues,
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
    supersedence: {
      name: 'kbId',
      older: 'supersedes',
      newer: 'supersededBy',
      last: 'kbIdToBeInstalled',
    },
  },
});
