import { text } from '../../definition/fields.ts';
import { defineList } from '../../definition/list-definition.ts';
import { dpkgAdvisoryShape } from '../../schemas/dpkg-advisory-shape.ts';

export const debianList = defineList({
  key: 'debian_patch',
  label: 'Debian patches',
  shortLabel: 'Debian',
  source: 'debian',
  route: 'debian-patch',
  searchPath: '/linux/debianpatch/search',
  detailPath: '/linux/debianpatch/{id}',
  ...dpkgAdvisoryShape,
  detail: {
    ...dpkgAdvisoryShape.detail,
    facts: {
      ...dpkgAdvisoryShape.detail.facts,
      packagesFrom: text('Packages from', {
        help: 'The suite of the security archive whose index names the binary packages (amd64). Where it holds another version of the source package by now, the names are those of that version.',
      }),
    },
  },
});
