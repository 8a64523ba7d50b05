/** The publication of each source in its vendor's format, over the same few records. */
import type { VendorSourceKey } from '../../sources.ts';
import type { FixtureFiles } from '../fixture-files.ts';
import { type Signer, signer } from '../signed-text.ts';
import { debianFiles, pardusFiles, ubuntuFiles } from './deb-publications.ts';
import {
  macosFiles,
  securityUpdateGuideFiles,
  thirdpartyFiles,
  windowsFiles,
} from './other-publications.ts';
import {
  almalinuxFiles,
  amazonlinuxFiles,
  centosFiles,
  opensuseFiles,
  oraclelinuxFiles,
  rockylinuxFiles,
} from './rpm-publications.ts';
import { type Publishing, publishings } from './stated-record.ts';

interface Format {
  readonly name: string;
  readonly source: VendorSourceKey;
  readonly write: (
    records: Publishing['records'],
    signer: Signer,
  ) => FixtureFiles | Promise<FixtureFiles>;
  /** Names of publishings; all when absent. */
  readonly only?: readonly string[];
  readonly without?: readonly string[];
}

export const formats: readonly Format[] = [
  {
    name: "Microsoft's months",
    source: 'wsus',
    write: securityUpdateGuideFiles,
    // An emptied month is refused, and its last copy stays: catalogue/foreign-documents.test.ts.
    without: ['a document emptied'],
  },
  {
    name: 'the offline scan file',
    source: 'wsus',
    write: windowsFiles,
    // Each reading unpacks nested cabinets on threads.
    only: ['the first state', 'a title and a severity changed', 'a record removed'],
  },
  { name: "Ubuntu's notices and suites", source: 'ubuntu', write: ubuntuFiles },
  { name: 'CEFS', source: 'centOs', write: centosFiles },
  { name: "Debian's lists and tracker", source: 'debian', write: debianFiles },
  { name: "Pardus' suites", source: 'pardus', write: pardusFiles },
  { name: "Apple's catalogues", source: 'mac', write: macosFiles },
  { name: 'two repositories of openSUSE', source: 'opensuse', write: opensuseFiles },
  { name: 'releases of Oracle Linux', source: 'oracleLinux', write: oraclelinuxFiles },
  { name: "winget's index and manifests", source: 'thirdParty', write: thirdpartyFiles },
  { name: "AlmaLinux's errata", source: 'almaLinux', write: almalinuxFiles },
  { name: "Apollo's pages", source: 'rockyLinux', write: rockylinuxFiles },
  { name: 'snapshots of Amazon Linux', source: 'amazonLinux', write: amazonlinuxFiles },
];

export interface VendorPublication {
  readonly name: string;
  readonly files: FixtureFiles;
  /** Armored. */
  readonly trustedKeys: readonly string[];
}

/** One after the other. */
export async function vendorPublications({
  write,
  only,
  without = [],
}: Format): Promise<VendorPublication[]> {
  const key = await signer();
  const wanted = publishings.filter(
    ({ name }) => (only?.includes(name) ?? true) && !without.includes(name),
  );
  return Promise.all(
    wanted.map(async ({ name, records }) => ({
      name,
      files: await write(records, key),
      trustedKeys: [key.publicKey],
    })),
  );
}
