import { defineList } from '../../definition/list-definition.ts';
import { dpkgAdvisoryShape } from '../../shapes/dpkg-advisory-shape.ts';

export const debianList = defineList({
  key: 'debian_patch',
  label: 'Debian patches',
  shortLabel: 'Debian',
  source: 'debian',
  route: 'debian-patch',
  searchPath: '/linux/debianpatch/search',
  detailPath: '/linux/debianpatch/{id}',
  ...dpkgAdvisoryShape,
});
