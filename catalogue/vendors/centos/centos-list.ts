import { defineList } from '../../definition/list-definition.ts';
import { rpmErrataShape } from '../../schemas/rpm-errata-shape.ts';

export const centosList = defineList({
  key: 'centos_patch',
  label: 'CentOS patches',
  shortLabel: 'CentOS',
  source: 'centOs',
  route: 'centos-patch',
  searchPath: '/linux/co/search',
  detailPath: '/linux/co/{id}',
  ...rpmErrataShape,
});
