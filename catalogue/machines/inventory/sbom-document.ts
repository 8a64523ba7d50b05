/** Reads a machine's packages from its SBOM: CycloneDX 1.4 to 1.6, SPDX 2.3, each as JSON with package URLs. */
import type { InventoryFormat } from '../machine.ts';
import { distributionId } from './distribution-names.ts';
import type { InventoryLine } from './inventory-pieces.ts';
import { type JsonObject, objectsIn, textAt } from './json-document.ts';
import type { MachineDraft } from './machine-draft.ts';
import { type PackageUrl, packageOfUrl, packageUrl, releaseOfUrl } from './package-url.ts';

interface Sbom {
  readonly format: InventoryFormat;
  readonly urls: readonly PackageUrl[];
  readonly system: { readonly name: string; readonly version: string } | null;
}

/** Returns false when the document is not an SBOM. */
export function readSbom(
  document: JsonObject,
  line: InventoryLine,
  lines: number,
  draft: MachineDraft,
): boolean {
  const sbom = parseSbom(document);
  if (sbom === null) return false;
  const packages = sbom.urls.map(packageOfUrl).filter((found) => found !== null);
  if (packages.length === 0) {
    draft.addUnreadable(line, withoutPackages(sbom), { lines, trouble: 'applicationSbom' });
    return true;
  }
  for (const found of packages) draft.addPackage(found);
  const { distribution, release } = findSystem(sbom);
  if (!isSameSystem(distribution, release, draft))
    draft.addUnreadable(line, 'The SBOM is of another release than the lines before it', {
      lines: 0,
      trouble: 'severalMachines',
    });
  draft.countUnderstood(sbom.format, lines);
  return true;
}

function parseSbom(document: JsonObject): Sbom | null {
  if (document['bomFormat'] === 'CycloneDX') return cycloneDx(document);
  return textAt(document, 'spdxVersion')?.startsWith('SPDX-2') === true ? spdx(document) : null;
}

/** Walks nested components. */
function cycloneDx(document: JsonObject): Sbom {
  const components: JsonObject[] = [];
  const open = objectsIn(document['components']).toReversed();
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    components.push(one);
    for (const inner of objectsIn(one['components']).toReversed()) open.push(inner);
  }
  return {
    format: 'CycloneDX',
    urls: components.map((one) => packageUrl(one['purl'])).filter((url) => url !== null),
    system: systemIn(
      components.filter((one) => one['type'] === 'operating-system'),
      'version',
    ),
  };
}

function spdx(document: JsonObject): Sbom {
  const packages = objectsIn(document['packages']);
  const references = packages.flatMap((one) => objectsIn(one['externalRefs']));
  return {
    format: 'SPDX',
    urls: references
      .filter((one) => one['referenceType'] === 'purl')
      .map((one) => packageUrl(one['referenceLocator']))
      .filter((url) => url !== null),
    system: systemIn(
      packages.filter((one) =>
        ['OPERATING-SYSTEM', 'OPERATING_SYSTEM'].includes(String(one['primaryPackagePurpose'])),
      ),
      'versionInfo',
    ),
  };
}

function systemIn(found: readonly JsonObject[], versionKey: string): Sbom['system'] {
  for (const one of found) {
    const [name, version] = [textAt(one, 'name'), textAt(one, versionKey)];
    if (name !== null && version !== null) return { name, version };
  }
  return null;
}

function findSystem({ urls, system }: Sbom): {
  readonly distribution: string | null;
  readonly release: string | null;
} {
  if (system !== null)
    return { distribution: distributionId(system.name), release: system.version };
  const found = urls.map(releaseOfUrl).find((release) => release !== null);
  return found === undefined
    ? { distribution: null, release: null }
    : { distribution: distributionId(found.distribution), release: found.release };
}

function isSameSystem(
  distribution: string | null,
  release: string | null,
  draft: MachineDraft,
): boolean {
  const same = distribution === null || draft.setFact('distribution', distribution);
  return same && (release === null || draft.setFact('release', release));
}

function withoutPackages({ format, urls }: Sbom): string {
  const types = [...new Set(urls.map(({ type }) => type))].slice(0, 5).join(', ');
  return urls.length === 0
    ? `This ${format} document contains no package URLs`
    : `This ${format} document describes an application (${types}), not the packages of a machine; give one with rpm or deb packages`;
}
