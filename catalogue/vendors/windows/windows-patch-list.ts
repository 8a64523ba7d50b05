/** The same updates as single patches: one record an update id. */
import {
  choice,
  date,
  identifier,
  identifiers,
  link,
  prose,
  size,
  tags,
  text,
} from '../../definition/fields.ts';
import { defineList } from '../../definition/list-definition.ts';
import { severities } from '../../schemas/severities.ts';
import { supersededFlag } from '../../schemas/status-flags.ts';
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
    releaseDate: date('Release date'),
    bulletinId: identifier('Bulletin'),
    kbId: identifier('KB', { page: 'https://support.microsoft.com/help/{digits}' }),
    severity: choice('Severity', severities, { look: 'severity' }),
    supportUrl: link('Support page'),
    superseded: supersededFlag('Windows Update says that another update replaces it.'),
  },
  columns: ['uuid', 'title', 'releaseDate', 'kbId', 'severity', 'supportUrl'],
  searchable: ['title', 'uuid', 'kbId', 'severity', 'releaseDate', 'superseded'],
  identity: ['kbId', 'uuid', 'title'],
  facets: ['severity', 'superseded', 'releaseDate'],
  defaultSort: '-releaseDate',
  countedBy: 'kbId',
  detail: {
    facts: {
      description: prose('Description'),
      architecture: tags('Architecture'),
      supersededBy: identifiers('Superseded by'),
      restartBehaviour: text('Restart behaviour'),
      category: text('Category'),
      ...scanFacts,
      updatedAt: date('Updated', { stamped: 'updated' }),
    },
    tables: {
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
    supersedence: { name: 'kbId', newer: 'supersededBy' },
  },
});
