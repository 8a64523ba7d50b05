import { defineList } from '../../definition/list-definition.ts';
import { rpmErrataShape } from '../../shapes/rpm-errata-shape.ts';

export const opensuseList = defineList({
  key: 'opensuse_patch',
  label: 'openSUSE patches',
  shortLabel: 'openSUSE',
  source: 'opensuse',
  route: 'opensuse-patch',
  searchPath: '/linux/opensusepatch/search',
  detailPath: '/linux/opensusepatch/{id}',
  ...rpmErrataShape,
});
