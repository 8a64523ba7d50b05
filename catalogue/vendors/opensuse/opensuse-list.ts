import { identifier } from '../../definition/fields.ts';
import { defineList } from '../../definition/list-definition.ts';
import { rpmErrataShape } from '../../schemas/rpm-errata-shape.ts';

export const opensuseList = defineList({
  key: 'opensuse_patch',
  label: 'openSUSE patches',
  shortLabel: 'openSUSE',
  source: 'opensuse',
  route: 'opensuse-patch',
  searchPath: '/linux/opensusepatch/search',
  detailPath: '/linux/opensusepatch/{id}',
  ...rpmErrataShape,
  fields: {
    ...rpmErrataShape.fields,
    patchName: identifier('Patch name', {
      help: 'What zypper installs it by: zypper in -t patch openSUSE-2024-150.',
    }),
  },
  searchable: [...rpmErrataShape.searchable, 'patchName'],
  identity: ['bulletinId', 'patchName', 'title'],
});
