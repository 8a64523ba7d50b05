/** List of the packages of Ubuntu's archive: one record per binary package of a suite. */
import {
  choice,
  day,
  identifier,
  identifiers,
  link,
  number,
  prose,
  size,
  text,
} from '../../definition/fields.ts';
import { defineList } from '../../definition/list-definition.ts';
import { riskFields, riskSearchable } from '../../schemas/risk-fields.ts';
import { toSeverityScale } from '../../schemas/severities.ts';
import { namesBySuite, releasesBySuite } from './ubuntu-releases.ts';

/** Ubuntu's CVE priorities, lowest first. */
export const ubuntuUrgencies = [
  'untriaged',
  'negligible',
  'low',
  'medium',
  'high',
  'critical',
] as const;
/** dpkg's packaging priorities, lowest first: how much a system needs a package, not how urgent a fix is. */
export const packagingPriorities = [
  'extra',
  'optional',
  'standard',
  'important',
  'required',
] as const;

export const ubuntuPackageList = defineList({
  key: 'linux_patch_repository',
  label: 'Linux patch repository',
  shortLabel: 'Linux repository',
  source: 'ubuntu',
  route: 'linux-patch-repository',
  searchPath: '/linuxpatch/search',
  detailPath: '/linuxpatch/{id}',
  fields: {
    patchId: identifier('Patch id', { technical: true }),
    title: text('Title'),
    sourcePkgName: identifier('Source package'),
    sourcePkgVersion: identifier('Source version', { isVersion: true }),
    binaryPkgName: identifier('Binary package'),
    binaryPkgVersion: identifier('Binary version', { isVersion: true }),
    releaseDate: day('Release date'),
    distribution: identifier('Distribution', {
      words: namesBySuite,
      releases: releasesBySuite,
    }),
    urgency: choice('Urgency', ubuntuUrgencies, {
      severityScale: toSeverityScale(ubuntuUrgencies),
    }),
    priority: choice('Priority', packagingPriorities),
    arch: identifier('Architecture'),
    phasedUpdate: number('Phased update', {
      help: 'The percentage of machines that are offered the update at present. Empty: all of them. 0: the vendor has halted it.',
    }),
    ...riskFields,
  },
  columns: [
    'binaryPkgName',
    'binaryPkgVersion',
    'title',
    'distribution',
    'urgency',
    'arch',
    'releaseDate',
  ],
  searchable: [
    'title',
    'patchId',
    'sourcePkgName',
    'sourcePkgVersion',
    'binaryPkgName',
    'binaryPkgVersion',
    'distribution',
    'urgency',
    'priority',
    'arch',
    'releaseDate',
    'phasedUpdate',
    ...riskSearchable,
  ],
  identity: ['binaryPkgName', 'patchId', 'title'],
  facets: ['priority', 'distribution', 'arch', 'exploited', 'releaseDate'],
  defaultSort: '-releaseDate',
  detail: {
    facts: {
      releaseDateFrom: text('Release date from', {
        help: 'The first notice that brought this version, or the Release file of the release, whose packages do not change any more.',
      }),
      component: identifier('Component'),
      section: identifier('Section'),
      size: size('Size'),
      downloadUrl: link('Download'),
      checksum: identifier('SHA-256'),
      description: prose('Description'),
      notices: identifiers('Notices', { page: 'https://ubuntu.com/security/notices/{}' }),
      cve: identifiers('CVEs', { page: 'https://ubuntu.com/security/{}' }),
    },
    tables: {},
  },
});
