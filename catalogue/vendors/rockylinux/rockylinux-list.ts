import { defineList } from '../../definition/list-definition.ts';
import { rpmErrataShape } from '../../shapes/rpm-errata-shape.ts';

export const rockylinuxList = defineList({
  key: 'rockylinux_patch',
  label: 'Rocky Linux patches',
  shortLabel: 'Rocky Linux',
  source: 'rockyLinux',
  route: 'rockylinux-patch',
  searchPath: '/linux/rockylinux/search',
  detailPath: '/linux/rockylinux/{id}',
  ...rpmErrataShape,
});
