/** List of the same updates as single patches: one record per update id. */
import {
  choice,
  date,
  day,
  identifier,
  identifiers,
  link,
  prose,
  tags,
  text,
} from '../../../definition/fields.ts';
import { defineList } from '../../../definition/list-definition.ts';
import { severities } from '../../../schemas/severities.ts';
import {
  cves,
  filesTable,
  guidanceTables,
  kbIdToBeInstalled,
  kbPage,
  scanFacts,
  superseded,
} from './windows-fields.ts';

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
    kbId: identifier('KB', { page: kbPage }),
    severity: choice('Severity', severities, { look: 'severity' }),
    supportUrl: link('Support page'),
    superseded,
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
      kbIdToBeInstalled,
      cve: cves,
      restartBehaviour: text('Restart behaviour'),
      category: text('Category'),
      ...scanFacts,
      updatedAt: date('Updated', { stamped: 'updated' }),
    },
    tables: {
      knownIssues: guidanceTables.knownIssues,
      fileDetails: filesTable,
    },
    supersedence: { name: 'kbId', newer: 'supersededBy', last: 'kbIdToBeInstalled' },
  },
});
