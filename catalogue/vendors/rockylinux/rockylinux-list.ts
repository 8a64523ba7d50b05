import { identifier, identifiers } from '../../definition/fields.ts';
import { defineList } from '../../definition/list-definition.ts';
import { rpmErrataShape, vulnerabilitiesTable } from '../../schemas/rpm-errata-shape.ts';

const { tables } = rpmErrataShape.detail;

export const rockylinuxList = defineList({
  key: 'rockylinux_patch',
  label: 'Rocky Linux patches',
  shortLabel: 'Rocky Linux',
  source: 'rockyLinux',
  route: 'rockylinux-patch',
  searchPath: '/linux/rockylinux/search',
  detailPath: '/linux/rockylinux/{id}',
  ...rpmErrataShape,
  detail: {
    ...rpmErrataShape.detail,
    // Apollo republishes Red Hat's scores.
    scores: {
      by: 'Red Hat, by Rocky Linux',
      table: 'vulnerabilities',
      score: 'score',
      vector: 'vector',
    },
    tables: {
      ...tables,
      packages: {
        ...tables.packages,
        fields: { ...tables.packages.fields, repositories: identifiers('Repositories') },
      },
      vulnerabilities: {
        ...vulnerabilitiesTable,
        fields: { ...vulnerabilitiesTable.fields, weakness: identifier('CWE') },
      },
    },
  },
});
