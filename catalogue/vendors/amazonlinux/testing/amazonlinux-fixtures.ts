/** What the fixtures publish: a mirror list and the snapshot that it names, written for the tests in the vendor's form. */
import { pathInMirror } from '../../../parsers/mirror-layout.ts';
import type { FixtureFiles } from '../../../testing/fixture-files.ts';
import {
  type PublishedUpdate,
  rpmRepositoryFrom,
  updateinfoFrom,
} from '../../../testing/rpm-repository-from.ts';

const core = 'https://cdn.amazonlinux.com/al2023/core/';
const snapshot = `${core}guids/${'4d61726b'.repeat(8)}/x86_64/`;

const vendor = {
  from: 'linux-security@amazon.com',
  version: '1.4',
  collection: 'amazon-linux-2023---core',
};
const cve = (id: string) => ({
  id,
  type: 'cve',
  href: `https://alas.aws.amazon.com/cve/html/${id}.html`,
  title: '',
});
const built = { release: '7.amzn2023.0.1', src: 'lantern-4.1-7.amzn2023.0.1.src.rpm' };

const important: PublishedUpdate = {
  ...vendor,
  id: 'ALAS2023-2021-581',
  type: 'security',
  severity: 'important',
  title: 'Amazon Linux 2023 - ALAS2023-2021-581: Important priority package update for lantern',
  issued: '2021-06-03 18:37',
  updated: '2021-06-04 11:30',
  description:
    'Package updates are available for Amazon Linux 2023 that fix the following vulnerabilities:\nCVE-2021-20001:\n\tOverflow in <wick> parsing.\n',
  references: [cve('CVE-2021-20001'), cve('CVE-2021-20002')],
  packages: [
    {
      ...built,
      name: 'lantern',
      version: '4.1',
      epoch: '2',
      arch: 'aarch64',
      sha256: '1'.repeat(64),
    },
    {
      ...built,
      name: 'lantern',
      version: '4.1',
      epoch: '2',
      sha256: '2'.repeat(64),
      rebootSuggested: true,
    },
    {
      ...built,
      name: 'lantern-doc',
      version: '4.1',
      epoch: '2',
      arch: 'noarch',
      sha256: '3'.repeat(64),
    },
    { ...built, name: 'lantern', version: '4.1', epoch: '2', arch: 'src', sha256: '4'.repeat(64) },
  ],
};

const medium: PublishedUpdate = {
  ...vendor,
  id: 'ALAS2023-2021-582',
  type: 'security',
  severity: 'medium',
  title: 'Amazon Linux 2023 - ALAS2023-2021-582: Medium priority package update for candle',
  issued: '2021-06-05 09:00',
  references: [cve('CVE-2021-20003')],
  packages: [{ name: 'candle', version: '0.9', release: '1.amzn2023', sha256: '5'.repeat(64) }],
};

const others: readonly PublishedUpdate[] = ['critical', 'low'].map((severity, index) => ({
  ...vendor,
  id: `ALAS2023-2021-${583 + index}`,
  type: 'security',
  severity,
  title: `Amazon Linux 2023 - ALAS2023-2021-${583 + index}: ${severity} priority package update for snuffer`,
  issued: `2021-06-0${6 + index} 09:00`,
  packages: [
    { name: 'snuffer', version: `1.${index}`, release: '3.amzn2023', sha256: '6'.repeat(64) },
  ],
}));

/** Run npm run fixtures -- amazonlinux after a change. */
export function amazonlinuxFixtures(): FixtureFiles {
  return {
    [pathInMirror(`${core}mirrors/latest/x86_64/mirror.list`)]: `${snapshot}\n`,
    ...rpmRepositoryFrom(snapshot, updateinfoFrom([important, medium, ...others])),
  };
}
