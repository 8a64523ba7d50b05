/** The publication of each source in its vendor's format, over the same few records. */
import type { SourceKey } from '../../sources.ts';
import type { FixtureFiles } from '../fixture-files.ts';
import { type Signer, signer } from '../signed-text.ts';
import { debianFiles, pardusFiles, ubuntuFiles } from './deb-publications.ts';
import { macosFiles, thirdpartyFiles, windowsFiles } from './other-publications.ts';
import {
  almalinuxFiles,
  amazonlinuxFiles,
  centosFiles,
  opensuseFiles,
  oraclelinuxFiles,
  rockylinuxFiles,
} from './rpm-publications.ts';
import { type Publishing, publishings } from './stated-record.ts';

type Writer = (
  records: Publishing['records'],
  signer: Signer,
) => FixtureFiles | Promise<FixtureFiles>;

const writers: Partial<Record<SourceKey, Writer>> = {
  wsus: windowsFiles,
  ubuntu: ubuntuFiles,
  centOs: centosFiles,
  debian: debianFiles,
  pardus: pardusFiles,
  mac: macosFiles,
  opensuse: opensuseFiles,
  oracleLinux: oraclelinuxFiles,
  thirdParty: thirdpartyFiles,
  almaLinux: almalinuxFiles,
  rockyLinux: rockylinuxFiles,
  amazonLinux: amazonlinuxFiles,
};

export interface VendorPublication {
  readonly name: string;
  readonly files: FixtureFiles;
  /** Armored. */
  readonly trustedKeys: readonly string[];
}

/** One after the other. Throws for a source whose format has no writer. */
export async function vendorPublications(source: SourceKey): Promise<VendorPublication[]> {
  const write = writers[source];
  if (write === undefined) throw new Error(`${source} has no writer of its format`);
  const key = await signer();
  return Promise.all(
    publishings.map(async ({ name, records }) => ({
      name,
      files: await write(records, key),
      trustedKeys: [key.publicKey],
    })),
  );
}
