/** Fields that the lists of Debian and Pardus share: an advisory for one source package on one release. */
import { choice, day, identifier, identifiers, link, prose, text } from '../definition/fields.ts';
import { riskFields, riskSearchable } from './risk-fields.ts';
import { toSeverityScale } from './severities.ts';

/** Debian's urgencies, lowest first; most CVEs stay `unassigned`. */
export const dpkgPriorities = [
  'unassigned',
  'end-of-life',
  'unimportant',
  'low',
  'medium',
  'high',
] as const;

export const dpkgAdvisoryShape = {
  fields: {
    title: text('Title'),
    pkgName: identifier('Package'),
    osVersion: identifier('OS version'),
    bulletinId: identifier('Bulletin'),
    priority: choice('Priority', dpkgPriorities, {
      severityScale: toSeverityScale(dpkgPriorities),
    }),
    pkgAndVersion: identifier('Package and version', { isVersion: true }),
    releaseDate: day('Release date'),
    ...riskFields,
  },
  columns: ['title', 'pkgName', 'osVersion', 'bulletinId', 'priority', 'pkgAndVersion'],
  titleFacts: ['releaseDate'],
  searchable: [
    'title',
    'pkgName',
    'osVersion',
    'bulletinId',
    'priority',
    'pkgAndVersion',
    'releaseDate',
    ...riskSearchable,
  ],
  identity: ['bulletinId', 'pkgAndVersion', 'title'],
  facets: ['priority', 'osVersion', 'exploited', 'releaseDate'],
  defaultSort: '-releaseDate',
  detail: {
    packages: { format: 'dpkg', table: 'packages', name: 'name', version: 'version' },
    facts: {
      description: prose('Description'),
      vendorPriority: text('Urgency in the tracker', {
        help: "As Debian's security tracker writes it; stars: set by a score.",
      }),
      referenceLink: link('Advisory'),
      cve: identifiers('CVEs', { page: 'https://www.cve.org/CVERecord?id={}' }),
    },
    tables: {
      packages: {
        label: 'Packages',
        fields: {
          name: identifier('Name'),
          version: identifier('Version'),
          architecture: identifier('Architecture'),
          checksum: identifier('Checksum'),
        },
      },
    },
  },
} as const;
