import { defineList } from '../../definition/list-definition.ts';
import { dpkgAdvisoryShape } from '../../schemas/dpkg-advisory-shape.ts';

export const pardusList = defineList({
  key: 'pardus_patch',
  label: 'Pardus patches',
  shortLabel: 'Pardus',
  source: 'pardus',
  route: 'pardus-patch',
  searchPath: '/linux/parduspatch/search',
  detailPath: '/linux/parduspatch/{id}',
  ...dpkgAdvisoryShape,
});
