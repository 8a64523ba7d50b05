/** What Microsoft, Apple and winget's catalogue could publish next. */
import { scanFileFrom, scanMembers, uuidOf } from '@patch/catalogue/vendors/windows/fixtures/offline-scan-members.ts';
import { added, changed, type NewerPublication, replaced, textOf, withdrawn } from './newer-publication.ts';
import type { VendorStage } from './vendor-stage.ts';

export async function newerWindows(stage: VendorStage): Promise<NewerPublication> {
  const service = 'api.msrc.microsoft.com/cvrf/v3.0';
  const index = JSON.parse(await textOf(stage, `${service}/updates`)) as { value: object[] };
  const april = { ID: '2024-Apr', InitialReleaseDate: '2024-04-09T07:00:00Z', CurrentReleaseDate: '2024-04-09T07:00:00Z' };
  const march = await textOf(stage, `${service}/cvrf/2024-Mar`);
  const file = 'catalog.s.download.windowsupdate.com/microsoftupdate/v6/wsusscan/wsusscn2.cab';
  const [first, second] = [scanMembers['package.cab'] ?? {}, scanMembers['package2.cab'] ?? {}];
  const updates = first['package.xml'] ?? '';
  const [bundle = ''] = new RegExp(`.*${uuidOf(1303)}.*\n`).exec(updates) ?? [];
  const members = {
    ...scanMembers,
    'package.cab': {
      'package.xml': updates.replace(new RegExp(`.*${uuidOf(1304)}.*\n`), '').replace(bundle, bundle + bundle.replaceAll('1303', '1399')),
    },
    'package2.cab': {
      ...second,
      'l/en/1301': replaced(second['l/en/1301'] ?? '', 'Update for Windows 10', 'Update for Windows 10 Version 22H2'),
      'x/1399': replaced(second['x/1301'] ?? '', '5090301', '5090399'),
      'l/en/1399': replaced(second['l/en/1301'] ?? '', '5090301', '5090399'),
    },
  };
  const newestOfChain = { latestKb: ['KB5092845', 'KB5093100'], kbIdToBeInstalled: ['KB5092845', 'KB5093100'] } as const;
  const retitled = changed({ title: ['Update for Windows 10 (KB5090301)', 'Update for Windows 10 Version 22H2 (KB5090301)'] });
  return {
    documents: {
      [`${service}/updates`]: JSON.stringify({ ...index, value: [...index.value, april] }),
      [`${service}/cvrf/2024-Mar`]: march.replaceAll('<vuln:BaseScore>6.5<', '<vuln:BaseScore>8.5<'),
      [file]: scanFileFrom(members),
    },
    changes: {
      'patch_repository KB5093100|12097': added,
      // It is the newest of its chain now: all that it replaces say so.
      'patch_repository KB5092845|12097': changed({
        ...newestOfChain,
        supersededBy: [null, ['KB5093100']],
        supersedence: ['4 rows', '5 rows'],
        vulnerabilities: ['1 rows', '1 rows, not the same'],
      }),
      'patch_repository KB5091763|12097': changed({ ...newestOfChain, supersedence: ['4 rows', '5 rows'] }),
      'patch_repository KB5090122|12097': changed({ ...newestOfChain, supersedence: ['3 rows', '4 rows'] }),
      [`kb_repository ${uuidOf(1399)}`]: added,
      [`kb_repository ${uuidOf(1301)}`]: retitled,
      [`patch ${uuidOf(1399)}`]: added,
      [`patch ${uuidOf(1301)}`]: retitled,
      [`patch ${uuidOf(1304)}`]: withdrawn,
    },
  };
}

export async function newerMacos(stage: VendorStage): Promise<NewerPublication> {
  const path =
    'swscan.apple.com/content/catalogs/others/index-26-15-14-13-12-10.16-10.15-10.14-10.13-10.12-10.11-10.10-10.9-mountainlion-lion-snowleopard-leopard.merged-1.sucatalog';
  const catalogue = await textOf(stage, path);
  const product = (key: string) =>
    new RegExp(`\\t\\t<key>${key}</key>\\n\\t\\t<dict>[\\s\\S]*?\\n\\t\\t</dict>\\n`).exec(catalogue)?.[0] ?? '';
  const newest = product('zzz901-0003').replaceAll('zzz901-0003', 'zzz901-0009');
  const renewed = replaced(catalogue, product('901-00008'), newest);
  return {
    documents: { [path]: replaced(renewed, '2031-05-20T17:00:00Z', '2031-05-22T17:00:00Z') },
    changes: {
      'macos_patch zzz901-0009': added,
      'macos_patch 901-00001': changed({ releaseDate: [Date.UTC(2031, 4, 20, 17), Date.UTC(2031, 4, 22, 17)] }),
      'macos_patch 901-00008': withdrawn,
    },
  };
}

export async function newerThirdparty(stage: VendorStage): Promise<NewerPublication> {
  const path = 'github.com/svrooij/winget-pkgs-index/raw/main/index.v2.json';
  const text = (await textOf(stage, path)).replace(/^\uFEFF/, '');
  const index = (JSON.parse(text) as { PackageId: string; Version: string }[]).filter(({ PackageId }) => PackageId !== 'Corel.WinZip');
  const newest = { Name: 'NanaZip', PackageId: 'M2Team.NanaZip', Version: '9.0', Tags: [], LastUpdate: '2031-06-09T00:00:00+00:00' };
  for (const entry of index) if (entry.PackageId === 'Bandisoft.Bandizip') entry.Version = '8.02';
  return {
    documents: { [path]: JSON.stringify([...index, newest]) },
    changes: {
      'thirdparty_patch M2Team.NanaZip': added,
      'thirdparty_patch Bandisoft.Bandizip': changed({ version: ['8.01', '8.02'], versions: ['1 rows', '1 rows, not the same'] }),
      'thirdparty_patch Corel.WinZip': withdrawn,
    },
  };
}
