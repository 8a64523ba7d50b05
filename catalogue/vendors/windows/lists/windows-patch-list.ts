/** List of the same updates as single patches: one record per update id. */
import {
  choice,
  date,
  day,
  identifier,
  identifiers,
  link,
  prose,
  size,
  tags,
  text,
} from '../../../definition/fields.ts';
import { defineList } from '../../../definition/list-definition.ts';
import { severities } from '../../../schemas/severities.ts';
import { supersededFlag } from '../../../schemas/status-flags.ts';
import { guidanceTables } from './windows-guidance-tables.ts';
import { scanFacts } from './windows-scan-facts.ts';

export const windowsPatchList = defineList({
  key: 'patch',
  label: 'Patch list',
  shortLabel: 'Patch list',
  source: 'wsus',
  route: 'patch-list',
  searchPath: '/windows/patch/search/patch-list',
  detailPath: '/windows/patch/patch-list/{id}',
  fields: {
    uuid: identifier('UUID', { technical: true }),
    title: text('Title'),
    releaseDate: day('Release date'),
    bulletinId: identifier('Bulletin'),
    kbId: identifier('KB', { page: 'https://support.microsoft.com/help/{digits}' }),
    severity: choice('Severity', severities, { look: 'severity' }),
    supportUrl: link('Support page'),
    superseded: supersededFlag(
      'By the security update guide, fixed builds and Windows Update together. Empty where it is not known, or differs between products.',
    ),
  },
  columns: ['uuid', 'title', 'releaseDate', 'kbId', 'severity', 'supportUrl'],
  searchable: ['title', 'uuid', 'kbId', 'severity', 'releaseDate', 'superseded'],
  identity: ['kbId', 'uuid', 'title'],
  facets: ['severity', 'superseded', 'releaseDate'],
  defaultSort: '-releaseDate',
  countedBy: 'kbId',
  concluded: ['releaseDate', 'severity', 'superseded', 'cve', 'supersededBy', 'kbIdToBeInstalled'],
  detail: {
    facts: {
      description: prose('Description'),
      architecture: tags('Architecture'),
      supersededBy: identifiers('Superseded by'),
      kbIdToBeInstalled: identifier('KB to be installed', {
        page: 'https://support.microsoft.com/help/{digits}',
        sparse: true,
      }),
      cve: identifiers('CVEs', {
        page: 'https://msrc.microsoft.com/update-guide/vulnerability/{}',
      }),
      restartBehaviour: text('Restart behaviour'),
      category: text('Category'),
      ...scanFacts,
      updatedAt: date('Updated', { stamped: 'updated' }),
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
    supersedence: { name: 'kbId', newer: 'supersededBy', last: 'kbIdToBeInstalled' },
  },
});
