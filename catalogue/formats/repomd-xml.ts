/** Writes repodata/repomd.xml, the index of an RPM repository, and the metadata of a repository without packages. */
import { xmlElement, xmlTextElement } from './xml-text.ts';

/** A file of repodata, compressed by gzip. */
export interface RepositoryFile {
  /** `updateinfo`, `primary` */
  readonly type: string;
  /** SHA-256 as served and decompressed. */
  readonly checksum: string;
  readonly openChecksum: string;
  readonly size: number;
  readonly openSize: number;
}

export const repositoryFileName = ({
  checksum,
  type,
}: Pick<RepositoryFile, 'checksum' | 'type'>): string => `${checksum}-${type}.xml.gz`;

/** @param changed - When the content last changed, epoch milliseconds. */
export function repomdXml(files: readonly RepositoryFile[], changed: number): string {
  const seconds = String(Math.floor(changed / 1000));
  const data = files.map((file) =>
    xmlElement(
      'data',
      { type: file.type },
      xmlElement('checksum', { type: 'sha256' }, file.checksum) +
        xmlElement('open-checksum', { type: 'sha256' }, file.openChecksum) +
        xmlElement('location', { href: `repodata/${repositoryFileName(file)}` }) +
        xmlTextElement('timestamp', seconds) +
        xmlTextElement('size', String(file.size)) +
        xmlTextElement('open-size', String(file.openSize)),
    ),
  );
  const content = [xmlTextElement('revision', seconds), ...data].join('\n');
  const attributes = { xmlns: 'http://linux.duke.edu/metadata/repo' };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xmlElement('repomd', attributes, content)}\n`;
}

const common = 'http://linux.duke.edu/metadata/common';

/** Metadata without a package, by type. dnf loads no repository without primary; yum reads the others too. */
export const emptyMetadata: Readonly<Record<string, string>> = {
  primary: emptyDocument('metadata', common),
  filelists: emptyDocument('filelists', 'http://linux.duke.edu/metadata/filelists'),
  other: emptyDocument('otherdata', 'http://linux.duke.edu/metadata/other'),
};

function emptyDocument(root: string, namespace: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xmlElement(root, { xmlns: namespace, packages: '0' })}\n`;
}
