import { defineList } from '../../definition/list-definition.ts';
import { rpmErrataShape } from '../../schemas/rpm-errata-shape.ts';

export const almalinuxList = defineList({
  key: 'almalinux_patch',
  label: 'AlmaLinux patches',
  shortLabel: 'AlmaLinux',
  source: 'almaLinux',
  route: 'almalinux-patch',
  searchPath: '/linux/almalinux/search',
  detailPath: '/linux/almalinux/{id}',
  ...rpmErrataShape,
});
