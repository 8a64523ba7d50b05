/**
 * Builds a repository of RPM packages as a vendor publishes it, for fixtures: updateinfo.xml.gz, and the repomd.xml that lists it
 * with its checksums.
 */
import { createHash } from 'node:crypto';
import { pathInMirror } from '../parsers/mirror-layout.ts';
import type { FixtureFiles } from './fixture-files.ts';
import { storedGzip } from './stored-gzip.ts';

export interface PublishedPackage {
  readonly name: string;
  readonly version: string;
  readonly release: string;
  readonly epoch?: string;
  readonly arch?: string;
  readonly src?: string;
  readonly filename?: string;
  readonly sha256?: string;
  readonly rebootSuggested?: boolean;
}

export interface PublishedReference {
  readonly id: string;
  readonly type: string;
  readonly href: string;
  readonly title?: string;
}

export interface PublishedUpdate {
  readonly id: string;
  readonly type: string;
  readonly title: string;
  /** `2031-02-03 10:00:00` */
  readonly issued: string;
  readonly updated?: string;
  readonly severity?: string;
  readonly description?: string;
  readonly status?: string;
  readonly version?: string;
  readonly from?: string;
  /** The name of its package collection. */
  readonly collection?: string;
  readonly packages: readonly PublishedPackage[];
  readonly references?: readonly PublishedReference[];
}

export function updateinfoFrom(updates: readonly PublishedUpdate[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<updates>\n${updates.map(updateElement).join('\n')}\n</updates>\n`;
}

/** @param repository an address that ends in a slash. */
export function rpmRepositoryFrom(repository: string, updateinfo: string): FixtureFiles {
  const packed = storedGzip(updateinfo);
  const name = `repodata/${sha256(packed)}-updateinfo.xml.gz`;
  const repomd = `<?xml version="1.0" encoding="UTF-8"?>
<repomd xmlns="http://linux.duke.edu/metadata/repo" xmlns:rpm="http://linux.duke.edu/metadata/rpm">
  <revision>1</revision>
  <data type="updateinfo">
    <checksum type="sha256">${sha256(packed)}</checksum>
    <open-checksum type="sha256">${sha256(updateinfo)}</open-checksum>
    <location href="${name}"/>
    <timestamp>1</timestamp>
    <size>${packed.length}</size>
    <open-size>${Buffer.byteLength(updateinfo)}</open-size>
  </data>
</repomd>
`;
  return {
    [pathInMirror(`${repository}repodata/repomd.xml`)]: repomd,
    [pathInMirror(repository + name)]: packed,
  };
}

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex');

function updateElement(update: PublishedUpdate): string {
  const {
    id,
    type,
    title,
    issued,
    severity,
    description,
    status = 'final',
    version = '1',
    from = 'security@vendor.example',
  } = update;
  const references = update.references ?? [];
  return [
    `<update${attributes({ from, status, type, version })}>`,
    `  <id>${escaped(id)}</id>`,
    `  <title>${escaped(title)}</title>`,
    `  <issued${attributes({ date: issued })}/>`,
    ...(update.updated === undefined
      ? []
      : [`  <updated${attributes({ date: update.updated })}/>`]),
    ...(severity === undefined ? [] : [`  <severity>${escaped(severity)}</severity>`]),
    ...(description === undefined ? [] : [`  <description>${escaped(description)}</description>`]),
    '  <references>',
    ...references.map(
      ({ href, id: of, type: kind, title: words = '' }) =>
        `    <reference${attributes({ href, id: of, title: words, type: kind })}/>`,
    ),
    '  </references>',
    '  <pkglist>',
    `    <collection short="${escaped(update.collection ?? 'updates')}">`,
    `      <name>${escaped(update.collection ?? 'updates')}</name>`,
    ...update.packages.map(packageElement),
    '    </collection>',
    '  </pkglist>',
    '</update>',
  ].join('\n');
}

function packageElement({
  name,
  version,
  release,
  epoch = '0',
  arch = 'x86_64',
  src,
  filename,
  sha256: sum,
  rebootSuggested,
}: PublishedPackage) {
  const file = filename ?? `${name}-${version}-${release}.${arch}.rpm`;
  return [
    `      <package${attributes({ name, epoch, version, release, arch, ...(src === undefined ? {} : { src }) })}>`,
    `        <filename>${escaped(file)}</filename>`,
    ...(sum === undefined ? [] : [`        <sum type="sha256">${sum}</sum>`]),
    ...(rebootSuggested === true ? ['        <reboot_suggested>True</reboot_suggested>'] : []),
    '      </package>',
  ].join('\n');
}

const attributes = (values: Readonly<Record<string, string>>) =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(value)}"`)
    .join('');

const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
