/** The list of machines that licensed clients report. The service itself maintains it; no vendor publishes it. */
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

export const platformLabels = { linux: 'Linux', windows: 'Windows', macos: 'macOS' } as const;
const platforms = ['linux', 'windows', 'macos'] as const;

export const machineList = defineList({
  key: 'machines',
  label: 'Machines',
  shortLabel: 'Machines',
  source: null,
  viewOf: 'machine',
  route: 'machines',
  searchPath: '/machines/search',
  detailPath: '/machines/{id}',
  fields: {
    name: text('Name'),
    machineKey: identifier('Machine key', {
      help: 'What the client calls the machine; unique within the client.',
    }),
    client: text('Client', { help: 'The licensed client that reports the machine.' }),
    clientId: number('Client number'),
    tags: tags('Tags', {
      help: 'Reported by the machine, or put on it by people.',
    }),
    platform: choice('Platform', platforms, { words: platformLabels }),
    release: text('Release', { help: 'The distribution and its version, or the Windows product.' }),
    architecture: text('Architecture'),
    build: identifier('Build', { help: 'Of Windows and macOS.', isVersion: true }),
    kernel: identifier('Kernel', { help: 'The running one.', isVersion: true }),
    rebootPending: flag('Reboot', {
      help: 'Pending: the system says so, or a newer kernel is installed than the one that runs. Empty: not known.',
    }),
    endOfLife: day('End of support', {
      dueBy: true,
      help: 'When the vendor ends or ended its support of the release. Empty: not known.',
    }),
    packageCount: number('Packages', {
      help: 'Installed packages, updates and applications that were read.',
    }),
    createdTime: date('First reported', {
      stamped: 'created',
      help: 'When the client first reported the machine.',
    }),
    lastSeen: date('Last seen', {
      joined: true,
      help: 'When the client last reported the machine.',
    }),
    judgedOn: date('Judged', {
      joined: true,
      help: 'When its inventory was last compared with the catalogue. Empty: it is being judged for the first time.',
    }),
    notJudged: flag('Not judged', {
      joined: true,
      help: 'Nothing is known about missing patches: the catalogue has no records of the release, or the report states too little.',
    }),
    sharedKey: flag('Several machines report this key', {
      joined: true,
      badge: 'danger',
      help: 'Machines of other names or packages report this key in turns, as clones of an image do. Each needs a key of its own; what is shown is of the one that reported last.',
    }),
    missing: number('Missing', {
      joined: true,
      help: 'Records that the machine certainly misses, without accepted ones. Empty: the machine is not judged.',
    }),
    missingCritical: number('Critical', {
      joined: true,
      help: 'Missing records of this severity.',
    }),
    missingImportant: number('Important', {
      joined: true,
      help: 'Missing records of this severity.',
    }),
    missingModerate: number('Moderate', {
      joined: true,
      help: 'Missing records of this severity.',
    }),
    missingLow: number('Low', { joined: true, help: 'Missing records of this severity.' }),
    missingUnspecified: number('Without severity', {
      joined: true,
      help: 'Missing records of which the vendor states no severity.',
    }),
    missingExploited: number('Exploited', {
      joined: true,
      help: 'Missing records that are known to be exploited.',
    }),
    uncertain: number('Uncertain', {
      joined: true,
      help: 'Records of which the inventory does not show whether they are missing.',
    }),
    needsSubscription: number('Needs a subscription', {
      joined: true,
      help: 'Records whose fix only subscribers receive (Ubuntu Pro).',
    }),
    accepted: number('Accepted', {
      joined: true,
      help: 'Missing records that an administrator has accepted for now.',
    }),
  },
  criteria: {
    group: identifiers('Group', {
      help: 'The name or #number of a group.',
    }),
    misses: identifiers('Misses', {
      help: 'A CVE, a KB or an advisory whose fix the machine certainly misses, without accepted ones; or one record as list/number.',
    }),
    missesOf: identifiers('Misses of', {
      help: 'As Misses, by a vendor, product, release or package.',
    }),
    overdue: identifiers('Overdue', {
      help: 'As Misses, where the due date is over by the policies of the groups of the machine.',
    }),
    mayMiss: identifiers('May miss', {
      help: 'As Misses, where the inventory does not show it, or only subscribers receive the fix.',
    }),
    accepts: identifiers('Accepts', {
      help: 'As Misses, where an administrator has accepted for now that the record is missing.',
    }),
  },
  columns: [
    'name',
    'client',
    'release',
    'missingExploited',
    'missingCritical',
    'missingImportant',
    'missing',
    'rebootPending',
    'endOfLife',
    'lastSeen',
  ],
  searchable: [
    'name',
    'machineKey',
    'client',
    'clientId',
    'tags',
    'platform',
    'release',
    'architecture',
    'build',
    'kernel',
    'rebootPending',
    'endOfLife',
    'packageCount',
    'createdTime',
    'lastSeen',
    'judgedOn',
    'notJudged',
    'sharedKey',
    'missing',
    'missingCritical',
    'missingImportant',
    'missingModerate',
    'missingLow',
    'missingUnspecified',
    'missingExploited',
    'uncertain',
    'needsSubscription',
    'accepted',
  ],
  identity: ['name', 'machineKey'],
  facets: ['overdue', 'client', 'tags', 'platform', 'release', 'rebootPending', 'endOfLife'],
  defaultSort: 'name',
});
