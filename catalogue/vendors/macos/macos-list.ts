/** List of Apple's software update catalogue and supported versions. */
import {
  date,
  day,
  flag,
  identifier,
  identifiers,
  link,
  prose,
  size,
  tags,
  text,
} from '../../definition/fields.ts';
import { defineList } from '../../definition/list-definition.ts';
import { exploitedFlag, riskFields } from '../../schemas/risk-fields.ts';

export const macosList = defineList({
  key: 'macos_patch',
  label: 'macOS patches',
  shortLabel: 'macOS',
  source: 'mac',
  route: 'macos-patch',
  searchPath: '/linux/macospatch/search',
  detailPath: '/macospatch/{id}',
  fields: {
    productKey: identifier('Product key', { technical: true }),
    title: text('Title'),
    releaseDate: day('Release date'),
    osVersion: tags('OS version', { releaseName: 'macOS {}' }),
    version: identifier('Version', {
      isVersion: true,
      help: 'Of the system or application that is installed: 26.4.1.',
    }),
    build: identifier('Build', { isVersion: true }),
    cve: identifiers('CVEs', {
      page: 'https://www.cve.org/CVERecord?id={}',
      help: 'That the release fixes, as its security content states.',
    }),
    exploited: exploitedFlag(
      'Whether one of the CVEs was exploited, as Apple, SOFA or CISA states it. Empty where none of them states anything of the release.',
    ),
    epss: riskFields.epss,
    cvss: riskFields.cvss,
  },
  columns: ['productKey', 'title', 'releaseDate', 'osVersion'],
  titleFacts: ['version', 'build'],
  searchable: [
    'title',
    'productKey',
    'osVersion',
    'releaseDate',
    'cve',
    'exploited',
    'epss',
    'cvss',
  ],
  identity: ['title', 'productKey'],
  facets: ['osVersion', 'exploited', 'releaseDate'],
  defaultSort: '-releaseDate',
  detail: {
    facts: {
      description: prose('Description'),
      distributionFileName: identifier('Distribution file'),
      restartBehaviour: text('Restart behaviour'),
      vendorRestart: identifiers("Restart, in Apple's words"),
      securityContent: link('Security content'),
      securityStatedBy: text('CVEs stated by', {
        help: "SOFA's list, which Mac administrators make of Apple's pages, or Apple's page itself.",
      }),
      createdTime: date('Created', { stamped: 'created' }),
      updatedTime: date('Updated', { stamped: 'updated' }),
    },
    tables: {
      vulnerabilities: {
        label: 'Vulnerabilities',
        fields: {
          cve: identifier('CVE', { page: 'https://www.cve.org/CVERecord?id={}' }),
          exploited: flag('Exploited'),
        },
      },
      packages: {
        label: 'Packages',
        fields: {
          name: identifier('Name'),
          size: size('Size'),
          checksum: identifier('Checksum'),
          downloadUrl: link('Download'),
        },
      },
    },
  },
});
