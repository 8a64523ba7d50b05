/** What Apple's software update catalogue and its list of supported versions publish. */
import { date, identifier, link, prose, size, tags, text } from '../../definition/fields.ts';
import { defineList } from '../../definition/list-definition.ts';

export const macosList = defineList({
  key: 'macos_patch',
  label: 'macOS patches',
  shortLabel: 'macOS',
  source: 'mac',
  route: 'macos-patch',
  searchPath: '/linux/macospatch/search',
  detailPath: '/macospatch/{id}',
  fields: {
    productKey: identifier('Product key'),
    title: text('Title'),
    releaseDate: date('Release date'),
    osVersion: tags('OS version'),
  },
  columns: ['productKey', 'title', 'releaseDate', 'osVersion'],
  searchable: ['title', 'productKey', 'osVersion', 'releaseDate'],
  identity: ['title', 'productKey'],
  defaultSort: '-releaseDate',
  detail: {
    facts: {
      version: identifier('Version'),
      build: identifier('Build'),
      description: prose('Description'),
      distributionFileName: identifier('Distribution file'),
      restartBehaviour: text('Restart behaviour'),
      createdTime: date('Created', { stamped: 'created' }),
      updatedTime: date('Updated', { stamped: 'updated' }),
    },
    tables: {
      packages: {
        label: 'Packages',
        fields: { name: identifier('Name'), size: size('Size'), checksum: identifier('Checksum'), downloadUrl: link('Download') },
      },
    },
  },
});
