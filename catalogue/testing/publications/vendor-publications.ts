/** Publications of the same few records, in the format of each source's vendor. */
import type { VendorSourceKey } from '../../sources.ts';
import type { FixtureFiles } from '../fixture-files.ts';
import { createSigner, type Signer } from '../signed-text.ts';
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
import type { Publishing } from './stated-record.ts';

interface Format {
  readonly name: string;
  readonly source: VendorSourceKey;
  readonly write: (
    records: Publishing['records'],
    signer: Signer,
  ) => FixtureFiles | Promise<FixtureFiles>;
  /** Names of publications that the format does not have. */
  readonly without?: readonly string[];
  /** The maximum number of publications. */
  readonly atMost?: number;
}

export const formats: readonly Format[] = [
  {
    name: "Microsoft's months",
    source: 'wsus',
    write: securityUpdateGuideFiles,
    // An emptied month is refused, and its last copy stays: catalogue/vendors/windows/guide/msrc-months.test.ts.
    without: ['a document emptied'],
  },
  {
    name: 'the offline scan file',
    source: 'wsus',
    write: windowsFiles,
    // Each reading unpacks nested cabinets in threads.
    without: ['a fixed version changed'],
    atMost: 3,
  },
  { name: "Ubuntu's notices and suites", source: 'ubuntu', write: ubuntuFiles },
  { name: 'CEFS', source: 'centOs', write: centosFiles },
  { name: "Debian's lists and tracker", source: 'debian', write: debianFiles },
  { name: "Pardus' suites", source: 'pardus', write: pardusFiles },
  {
    name: "Apple's catalogues",
    source: 'mac',
    write: macosFiles,
    // A catalogue without a product is refused: catalogue/foreign-apple-documents.test.ts.
    without: ['a document emptied'],
  },
  { name: 'two repositories of openSUSE', source: 'opensuse', write: opensuseFiles },
  { name: 'releases of Oracle Linux', source: 'oracleLinux', write: oraclelinuxFiles },
  { name: "winget's index and manifests", source: 'thirdParty', write: thirdpartyFiles },
  { name: "AlmaLinux's errata", source: 'almaLinux', write: almalinuxFiles },
  { name: "Apollo's pages", source: 'rockyLinux', write: rockylinuxFiles },
  { name: 'snapshots of Amazon Linux', source: 'amazonLinux', write: amazonlinuxFiles },
];

export interface VendorPublication extends Publishing {
  readonly files: FixtureFiles;
  /** Armored public keys. */
  readonly trustedKeys: readonly string[];
}

/** Writes publications in order. */
export async function vendorPublications(
  { write, without = [], atMost }: Format,
  publishings: readonly Publishing[],
): Promise<VendorPublication[]> {
  const key = await createSigner();
  const wanted = publishings.filter(({ name }) => !without.includes(name)).slice(0, atMost);
  return Promise.all(
    wanted.map(async ({ name, records }) => ({
      name,
      records,
      files: await write(records, key),
      trustedKeys: [key.publicKey],
    })),
  );
}
