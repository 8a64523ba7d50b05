/** Applications of other vendors, chosen by this product: one record an application, its installers in the detail. */
import { choice, date, flag, identifier, link, prose, tags, text } from '../../definition/fields.ts';
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
    uuid: identifier('UUID'),
    name: text('Name'),
    manufacturer: text('Manufacturer'),
    description: prose('Description'),
    category: choice('Category', thirdPartyCategories),
  },
  columns: ['uuid', 'name', 'manufacturer', 'description', 'category'],
  searchable: ['uuid', 'name', 'manufacturer', 'category'],
  identity: ['name', 'uuid'],
  defaultSort: 'name',
  detail: {
    facts: {
      packageId: identifier('Package id'),
      version: identifier('Newest version'),
      releaseDate: date('Released'),
      referenceLink: link('Home page'),
      tags: tags('Tags'),
    },
    tables: {
      releasePackages: {
        label: 'Release packages',
        fields: {
          name: text('Name'),
          version: identifier('Version'),
          osPlatform: text('Platform'),
          osArch: identifier('Architecture'),
          osVersion: identifier('OS version'),
          downloadUrl: link('Download'),
          checksum: identifier('Checksum', { help: 'SHA-256, unless the name of another algorithm stands before it.' }),
          unversionedUrl: flag('Address without version', {
            help: 'The vendor serves every version at this address, so the checksum may be of another one.',
          }),
        },
      },
    },
  },
});
