import { defineList } from '../../definition/list-definition.ts';
import { rpmErrataShape, vulnerabilitiesTable } from '../../schemas/rpm-errata-shape.ts';

export const oraclelinuxList = defineList({
  key: 'oracle_linux_patch',
  label: 'Oracle Linux patches',
  shortLabel: 'Oracle Linux',
  source: 'oracleLinux',
  route: 'oraclelinux-patch',
  searchPath: '/linux/oraclelinux/search',
  detailPath: '/linux/oraclelinux/{id}',
  ...rpmErrataShape,
  detail: {
    ...rpmErrataShape.detail,
    scores: { by: 'Oracle', table: 'vulnerabilities', score: 'score', vector: 'vector' },
    tables: { ...rpmErrataShape.detail.tables, vulnerabilities: vulnerabilitiesTable },
  },
});
