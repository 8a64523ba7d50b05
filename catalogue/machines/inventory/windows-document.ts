/** Reads JSON output of PowerShell and winget: Get-HotFix, Get-ComputerInfo, winget export. */
import { machineArchitecture } from './architectures.ts';
import type { InventoryLine } from './inventory-pieces.ts';
import { isObject, type JsonObject, objectsIn, textAt } from './json-document.ts';
import type { MachineDraft } from './machine-draft.ts';

/** Returns false when the document is in none of these formats. */
export function readWindowsDocument(
  document: unknown,
  line: InventoryLine,
  lines: number,
  draft: MachineDraft,
): boolean {
  const objects = isObject(document) ? [document] : objectsIn(document);
  const hotfixes = objects.filter((one) => Object.hasOwn(one, 'HotFixID'));
  const [first] = objects;
  if (hotfixes.length > 0) {
    readHotfixes(hotfixes, draft);
    draft.countUnderstood('Get-HotFix', lines);
  } else if (first !== undefined && isComputerInfo(first)) {
    readComputerInfo(first, line, draft);
    draft.countUnderstood('Get-ComputerInfo', lines);
  } else if (first !== undefined && isWingetExport(first)) {
    readWingetExport(first, draft);
    draft.countUnderstood('winget export', lines);
  } else return false;
  draft.setFact('platform', 'windows');
  return true;
}

/** Reads `Get-HotFix | ConvertTo-Json`, and the list of Get-ComputerInfo under OsHotFixes. */
function readHotfixes(hotfixes: readonly JsonObject[], draft: MachineDraft): void {
  for (const one of hotfixes) {
    const kb = /^KB(\d{6,8})$/i.exec(textAt(one, 'HotFixID') ?? '')?.[1];
    if (kb !== undefined) draft.addKb(kb);
  }
}

const isComputerInfo = (one: JsonObject) =>
  ['OsBuildNumber', 'OsVersion', 'WindowsProductName', 'WindowsCurrentVersion'].some((key) =>
    Object.hasOwn(one, key),
  );

function readComputerInfo(one: JsonObject, line: InventoryLine, draft: MachineDraft): void {
  const [version, revision] = [textAt(one, 'OsVersion'), textAt(one, 'WindowsUBR')];
  // Only newer versions of PowerShell have the property UBR.
  const build =
    version !== null && /^\d+\.\d+\.\d+$/.test(version)
      ? `${version}${revision !== null && /^\d+$/.test(revision) ? `.${revision}` : ''}`
      : null;
  if (build !== null && !draft.setFact('build', build))
    draft.addUnreadable(line, `The text already names build ${draft.getFact('build')}`, {
      lines: 0,
      trouble: 'severalMachines',
    });
  // WindowsProductName reads "Windows 10" on Windows 11.
  const product = textAt(one, 'OsName') ?? textAt(one, 'WindowsProductName');
  if (product !== null) draft.setFact('distribution', product.replace(/\s+/g, ' '));
  const type = /^(x64|x86|arm64)-based/i.exec(textAt(one, 'CsSystemType') ?? '')?.[1];
  const names: Readonly<Record<string, string>> = { x64: 'x86_64', x86: 'i686' };
  if (type !== undefined)
    draft.setFact(
      'architecture',
      names[type.toLowerCase()] ?? machineArchitecture(type.toLowerCase()),
    );
  readHotfixes(objectsIn(one['OsHotFixes']), draft);
}

const isWingetExport = (one: JsonObject) =>
  objectsIn(one['Sources']).some((source) => Array.isArray(source['Packages']));

/** Reads https://aka.ms/winget-packages.schema.2.0.json; it has versions with `--include-versions`. */
function readWingetExport(one: JsonObject, draft: MachineDraft): void {
  for (const source of objectsIn(one['Sources'])) {
    for (const found of objectsIn(source['Packages'])) {
      const identifier = textAt(found, 'PackageIdentifier');
      if (identifier !== null)
        draft.addApplication({ name: identifier, identifier, version: textAt(found, 'Version') });
    }
  }
}
