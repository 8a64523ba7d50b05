/** Fields that the lists of RPM distributions share: an erratum with the binary packages that it fixes. */
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
} from '../definition/fields.ts';
import { riskFields, riskSearchable } from './risk-fields.ts';
import { severities } from './severities.ts';

export const errataCategories = ['other', 'enhancement', 'bugfix', 'security'] as const;
export type ErrataCategory = (typeof errataCategories)[number];

/** Of vendors that rate the CVEs of an erratum. */
export const vulnerabilitiesTable = {
  label: 'Vulnerabilities',
  fields: {
    cve: identifier('CVE', { page: 'https://www.cve.org/CVERecord?id={}' }),
    score: identifier('CVSS score'),
    vector: identifier('CVSS vector'),
  },
} as const;

export const rpmErrataShape = {
  fields: {
    title: text('Title'),
    releaseDate: day('Release date'),
    bulletinId: identifier('Bulletin'),
    severity: choice('Severity', severities, { look: 'severity' }),
    binaryPkgName: tags('Binary packages', {
      help: 'The names of the binary packages that the erratum brings.',
    }),
    category: choice('Category', errataCategories),
    osVersion: tags('OS version', {
      help: 'The releases of the distribution that the erratum is for.',
    }),
    ...riskFields,
  },
  columns: ['title', 'releaseDate', 'bulletinId', 'severity', 'binaryPkgName', 'category'],
  titleFacts: ['osVersion'],
  searchable: [
    'bulletinId',
    'severity',
    'category',
    'title',
    'releaseDate',
    'osVersion',
    ...riskSearchable,
  ],
  identity: ['bulletinId', 'title'],
  facets: ['severity', 'category', 'osVersion', 'exploited', 'releaseDate'],
  defaultSort: '-releaseDate',
  detail: {
    packages: {
      format: 'rpm',
      table: 'packages',
      name: 'name',
      version: 'version',
      source: 'sourcePackage',
    },
    facts: {
      updatedDate: date('Updated by the vendor'),
      description: prose('Description'),
      rebootSuggested: flag('Reboot suggested'),
      restartSuggested: flag('Restart suggested', {
        help: 'What is running is to be started again: the package manager itself in openSUSE, the updated application elsewhere.',
      }),
      reloginSuggested: flag('Login suggested', { help: 'Users are to log in again.' }),
      vendorSeverity: text("Vendor's severity", { help: 'As the vendor writes it.' }),
      vendorCategory: text("Vendor's category", { help: 'As the vendor writes it.' }),
      status: text('Status', { help: "The vendor's own word: final, stable, retracted." }),
      referenceLink: link('Advisory'),
      cve: identifiers('CVEs', { page: 'https://www.cve.org/CVERecord?id={}' }),
      upstreamAdvisories: identifiers('Red Hat advisories', {
        page: 'https://access.redhat.com/errata/{}',
        help: 'The advisories of Red Hat that the erratum was rebuilt from.',
      }),
    },
    tables: {
      packages: {
        label: 'Packages',
        fields: {
          name: identifier('Name'),
          version: identifier('Version', {
            help: 'Epoch, version and release: epoch:version-release, the epoch left out when it is 0.',
          }),
          architecture: identifier('Architecture'),
          sourcePackage: identifier('Source package'),
          module: identifier('Module'),
          rebootSuggested: flag('Reboot'),
          restartSuggested: flag('Restart'),
          reloginSuggested: flag('Login'),
          checksum: identifier('Checksum'),
          checksumType: text('Checksum type'),
        },
      },
      modules: {
        label: 'Modules',
        fields: {
          name: identifier('Name'),
          stream: identifier('Stream'),
          version: identifier('Version'),
          context: identifier('Context'),
          architecture: identifier('Architecture'),
        },
      },
      references: {
        label: 'References',
        fields: {
          name: identifier('Reference'),
          type: text('Type'),
          title: text('Title'),
          address: link('Address'),
        },
      },
    },
  },
} as const;
