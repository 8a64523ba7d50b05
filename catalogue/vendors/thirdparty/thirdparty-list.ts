/** List of selected applications of other vendors: one record per application, with its installers in the detail. */
import { choice, day, flag, identifier, link, prose, tags, text } from '../../definition/fields.ts';
import { defineList } from '../../definition/list-definition.ts';

export const thirdPartyCategories = ['COMPRESSION', 'BROWSER', 'OFFICE'] as const;

export const thirdpartyList = defineList({
  key: 'thirdparty_patch',
  label: 'Third-party patches',
  shortLabel: 'Third-party',
  source: 'thirdParty',
  route: 'thirdparty-patch',
  searchPath: '/windows/thirdparty/patch/search',
  detailPath: '/windows/thirdparty/patch/{id}',
  fields: {
    uuid: identifier('UUID', { technical: true }),
    name: text('Name'),
    version: identifier('Newest version', {
      isVersion: true,
      help: 'For Windows; for macOS where no source has another. Empty where the sources cannot be compared.',
    }),
    manufacturer: text('Manufacturer'),
    description: prose('Description'),
    category: choice('Category', thirdPartyCategories, {
      words: { COMPRESSION: 'Compression', BROWSER: 'Browser', OFFICE: 'Office' },
    }),
  },
  columns: ['uuid', 'name', 'manufacturer', 'description', 'category'],
  titleFacts: ['version'],
  searchable: ['uuid', 'name', 'manufacturer', 'category'],
  identity: ['name', 'uuid'],
  facets: ['manufacturer', 'category'],
  defaultSort: 'name',
  detail: {
    facts: {
      packageId: identifier('Package id'),
      versionNote: prose('How the versions compare'),
      releaseDate: day('Released'),
      releaseNotes: prose('Release notes'),
      releaseNotesLink: link('Release notes online'),
      referenceLink: link('Home page'),
      tags: tags('Tags'),
    },
    tables: {
      versions: {
        label: 'Versions by source',
        fields: {
          source: text('Source'),
          version: identifier('Version'),
          osPlatform: text('Platform'),
          releaseDate: day('Released'),
          standing: text('Compared', {
            help: 'With the newest version. What relates schemes that differ stands above.',
          }),
          notesLink: link('Release notes'),
        },
      },
      releasePackages: {
        label: 'Release packages',
        turnover: true,
        fields: {
          name: text('Name'),
          version: identifier('Version'),
          osPlatform: text('Platform'),
          osArch: identifier('Architecture'),
          osVersion: identifier('OS version'),
          downloadUrl: link('Download'),
          checksum: identifier('Checksum', {
            help: 'SHA-256, unless the name of another algorithm stands before it.',
          }),
          vendorChecksum: flag("Vendor's checksum", {
            help: "The vendor's own, and not what a catalogue computed of the file.",
          }),
          unversionedUrl: flag('Address without version', {
            help: 'The vendor serves every version at this address, so the checksum may be of another one.',
          }),
          installerType: text('Installer type'),
          scope: text('Scope', { help: 'For the user who installs it, or for the machine.' }),
          silentSwitches: identifier('Silent switches'),
          progressSwitches: identifier('Silent switches, with progress'),
          locationSwitch: identifier('Switch for the folder'),
          customSwitches: identifier('Further switches', {
            help: 'What winget passes in each case.',
          }),
          productCode: identifier('Product code', {
            help: 'By which Windows lists the installed program.',
          }),
          upgradeCode: identifier('Upgrade code'),
          displayVersion: identifier('Listed version', {
            help: 'With which Windows lists the installed program, where it is another.',
          }),
        },
      },
    },
  },
});
