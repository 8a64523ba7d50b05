/** List of Ubuntu security notices: one record per notice, with its release packages in the detail. */
import {
  choice,
  date,
  day,
  flag,
  identifier,
  identifiers,
  link,
  prose,
  tags,
  text,
} from '../../definition/fields.ts';
import { defineList } from '../../definition/list-definition.ts';
import { riskFields, riskSearchable } from '../../schemas/risk-fields.ts';
import { ubuntuUrgencies } from './ubuntu-package-list.ts';

export const ubuntuNoticeList = defineList({
  key: 'linux_notice',
  label: 'Linux notices',
  shortLabel: 'Linux notices',
  source: 'ubuntu',
  route: 'linux-notice',
  searchPath: '/linux/linuxnotice/search',
  detailPath: '/linux/linuxnotice/{id}',
  fields: {
    noticeId: identifier('Notice', { help: 'USN-6663-1 and the like.' }),
    title: text('Title'),
    affectedOs: tags('Affected OS'),
    published: day('Published'),
    releaseDate: day('Release date'),
    updatedTime: date('Updated', { stamped: 'updated' }),
    type: identifier('Type', { help: 'USN: a security notice. LSN: a kernel live patch notice.' }),
    priority: choice('Priority', ubuntuUrgencies, {
      help: 'The highest priority that Ubuntu gives to a CVE of the notice.',
    }),
    ...riskFields,
  },
  columns: ['noticeId', 'title', 'affectedOs', 'releaseDate', 'updatedTime'],
  searchable: ['title', 'affectedOs', 'noticeId', 'releaseDate', 'priority', ...riskSearchable],
  filterName: { noticeId: 'id' },
  identity: ['noticeId', 'title'],
  facets: ['priority', 'affectedOs', 'exploited', 'releaseDate'],
  defaultSort: '-releaseDate',
  detail: {
    facts: {
      summary: prose('Summary'),
      description: prose('Description'),
      instructions: prose('Instructions'),
      referenceLink: link('Notice page'),
      cve: identifiers('CVEs', { page: 'https://ubuntu.com/security/{}' }),
      relatedNotices: identifiers('Related notices', {
        page: 'https://ubuntu.com/security/notices/{}',
      }),
      references: identifiers('References'),
    },
    tables: {
      cvePriorities: {
        label: 'Priorities of its CVEs',
        fields: {
          cve: identifier('CVE', { page: 'https://ubuntu.com/security/{}' }),
          priority: text('Priority', { help: "Ubuntu's own word." }),
        },
      },
      releasePackages: {
        label: 'Release packages',
        fields: {
          name: identifier('Package'),
          version: identifier('Version'),
          osVersion: text('OS version'),
          pocket: identifier('Pocket'),
          is_source: flag('Source'),
          is_visible: flag('Visible'),
        },
      },
    },
  },
});
