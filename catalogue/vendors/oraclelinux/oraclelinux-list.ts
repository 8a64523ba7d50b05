import { day, identifier } from '../../definition/fields.ts';
import { defineList } from '../../definition/list-definition.ts';
import { rpmErrataShape } from '../../schemas/rpm-errata-shape.ts';

const { tables } = rpmErrataShape.detail;

export const oraclelinuxList = defineList({
  key: 'oracle_linux_patch',
  label: 'Oracle Linux patches',
  shortLabel: 'Oracle Linux',
  source: 'oracleLinux',
  route: 'oraclelinux-patch',
  searchPath: '/linux/oraclelinux/search',
  detailPath: '/linux/oraclelinux/{id}',
  ...rpmErrataShape,
  fields: {
    ...rpmErrataShape.fields,
    // Oracle states days without a time.
    releaseDate: day('Release date'),
  },
  detail: {
    ...rpmErrataShape.detail,
    scores: { by: 'Oracle', table: 'vulnerabilities', score: 'score', vector: 'vector' },
    tables: {
      ...tables,
      vulnerabilities: {
        label: 'Vulnerabilities',
        fields: {
          cve: identifier('CVE', { page: 'https://www.cve.org/CVERecord?id={}' }),
          score: identifier('CVSS score'),
          vector: identifier('CVSS vector'),
        },
      },
    },
  },
});
