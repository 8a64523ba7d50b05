import { defineList } from '../../definition/list-definition.ts';
import { rpmErrataShape } from '../../schemas/rpm-errata-shape.ts';

export const amazonlinuxList = defineList({
  key: 'amazonlinux_patch',
  label: 'Amazon Linux patches',
  shortLabel: 'Amazon Linux',
  source: 'amazonLinux',
  route: 'amazonlinux-patch',
  searchPath: '/linux/amazonlinux/search',
  detailPath: '/linux/amazonlinux/{id}',
  ...rpmErrataShape,
});
