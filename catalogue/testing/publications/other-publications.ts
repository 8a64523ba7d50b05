/**
 * Publications of the other vendors: Microsoft's months and offline scan file, Apple's catalogues, and winget's index with its
 * manifests.
 */
import { sha256Hex } from '../../parsers/sha256.ts';
import { scanFileFrom, scanMembers } from '../../vendors/windows/fixtures/offline-scan-members.ts';
import { createGuideMonth } from '../../vendors/windows/testing/guide-month.ts';
import type { FixtureFiles } from '../fixture-files.ts';
import { atPosition, getCve, type StatedRecord } from './stated-record.ts';

type Records = readonly StatedRecord[];

/** Returns a date that changes with the publication, where the vendor writes one. */
const toDay = (words: unknown) => {
  const seconds = Number.parseInt(sha256Hex(JSON.stringify(words)).slice(0, 6), 16);
  return new Date(Date.UTC(2026, 1, 1) + seconds * 1000).toISOString().replace('.000', '');
};

/** Updates in the fixtures' offline scan file, by the number of the record that replaces them. */
const revisions: Readonly<Record<number, number>> = { 1: 1001, 2: 1301, 3: 1302, 4: 1404, 5: 1201 };

function scanFile(records: Records): Buffer {
  const stated = new Map(records.map((record) => [revisions[record.number], record]));
  const lines = (scanMembers['package.cab']?.['package.xml'] ?? '').split('\n').filter((line) => {
    const [, revision] = / RevisionId="(\d+)" .*IsBundle="true"/.exec(line) ?? [];
    return revision === undefined || stated.has(Number(revision)) || Number(revision) > 2000;
  });
  const members = { ...scanMembers['package2.cab'] };
  for (const [revision, { title, severity, text }] of stated) {
    members[`l/en/${revision}`] =
      `<LocalizedProperties><Language>en</Language><Title>${title} (KB${5_000_000 + Number(revision)})</Title>${text === null ? '' : `<Description>${text}</Description>`}</LocalizedProperties>`;
    members[`x/${revision}`] =
      `<ExtendedProperties DefaultPropertiesLanguage="en" MsrcSeverity="${severity}"><KBArticleID>${5_000_000 + Number(revision)}</KBArticleID></ExtendedProperties>`;
  }
  return scanFileFrom({
    ...scanMembers,
    'package.cab': { 'package.xml': lines.join('\n') },
    'package2.cab': members,
  });
}

/** The position selects the month. */
export async function securityUpdateGuideFiles(records: Records): Promise<FixtureFiles> {
  const months = ['2026-Jan', '2026-Feb'].map((id, position) => {
    const own = atPosition(records, position);
    const document = createGuideMonth({
      id,
      date: `2026-0${position + 1}-13T08:00:00`,
      products: {
        '11923': 'Windows Server 2022',
        '12097': 'Windows 10 Version 22H2 for x64-based Systems',
      },
      fixes: own.map((record) => ({
        kb: `KB${5_040_000 + record.number}`,
        products: record.text === null ? ['11923'] : ['11923', '12097'],
        build: `10.0.20348.${record.version.replaceAll('.', '')}`,
        type: record.severity === 'Low' ? 'Update' : 'Security Update',
        cve: getCve(record),
      })),
    });
    const listed = {
      ID: id,
      Alias: id,
      DocumentTitle: `${id} Security Updates`,
      InitialReleaseDate: `2026-0${position + 1}-13T08:00:00Z`,
      CurrentReleaseDate: toDay(own),
      CvrfUrl: `https://api.msrc.microsoft.com/cvrf/v3.0/cvrf/${id}`,
    };
    return { id, document, listed };
  });
  const files = await Promise.all(
    months.map(async ({ id, document }) => [
      `api.msrc.microsoft.com/cvrf/v3.0/cvrf/${id}`,
      await document.text(),
    ]),
  );
  return {
    ...Object.fromEntries(files),
    'api.msrc.microsoft.com/cvrf/v3.0/updates': JSON.stringify({
      value: months.map(({ listed }) => listed),
    }),
  };
}

/** Combines both, because the file completes the months. */
export async function windowsFiles(records: Records): Promise<FixtureFiles> {
  return {
    ...(await securityUpdateGuideFiles(records)),
    'catalog.s.download.windowsupdate.com/microsoftupdate/v6/wsusscan/wsusscn2.cab':
      scanFile(records),
  };
}

const catalogues = 'swscan.apple.com/content/catalogs/others';
const merged =
  'index-26-15-14-13-12-10.16-10.15-10.14-10.13-10.12-10.11-10.10-10.9-mountainlion-lion-snowleopard-leopard.merged-1.sucatalog';

const getProduct = (record: StatedRecord) => `901-0000${record.number}`;
const getDistribution = (record: StatedRecord) =>
  `swdist.apple.com/content/downloads/01/0${record.number}/${getProduct(record)}/aa/${getProduct(record)}.English.dist`;

const catalogue = (records: Records) => `<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0"><dict><key>CatalogVersion</key><integer>2</integer><key>Products</key><dict>
${records
  .map(
    (record) => `<key>${getProduct(record)}</key><dict>
<key>Packages</key><array><dict><key>URL</key><string>https://swcdn.apple.com/${getProduct(record)}.pkg</string><key>Size</key><integer>${record.text?.length ?? 0}</integer></dict></array>
<key>PostDate</key><date>${toDay(record)}</date>
<key>Distributions</key><dict><key>English</key><string>https://${getDistribution(record)}</string></dict>
</dict>`,
  )
  .join('\n')}
</dict></dict></plist>\n`;

/** The product refuses a service without a version. */
const oldest = {
  ProductVersion: '26.0',
  Build: '25A100',
  PostingDate: '2026-01-03',
  ExpirationDate: '2027-09-01',
  SupportedDevices: [],
};

/** Records in the second position are also in the catalogue of a single macOS, and their versions are supported. */
export function macosFiles(records: Records): FixtureFiles {
  const supported = atPosition(records, 1).map((record) => ({
    ProductVersion: `26.${record.version}`,
    Build: `25G90${record.number}`,
    PostingDate: '2026-02-03',
    ExpirationDate: '2027-09-01',
    SupportedDevices: record.text === null ? [] : ['J314sAP'],
  }));
  return {
    [`${catalogues}/${merged}`]: catalogue(records),
    [`${catalogues}/index-14.merged-1.sucatalog`]: catalogue(atPosition(records, 1)),
    'gdmf.apple.com/v2/pmv': JSON.stringify({ PublicAssetSets: { macOS: [...supported, oldest] } }),
    ...Object.fromEntries(
      records.map((record) => [
        getDistribution(record),
        `<?xml version="1.0" encoding="UTF-8"?>
<installer-gui-script minSpecVersion="2"><title>SU_TITLE</title><choices-outline ui="SoftwareUpdate"><line choice="su"/></choices-outline><choice id="su" title="SU_TITLE" versStr="SU_VERS"/>
<localization><strings language="English"><![CDATA["SU_TITLE" = "${record.title}";
"SU_VERS" = "${record.version}";
]]></strings></localization></installer-gui-script>\n`,
      ]),
    ),
  };
}

const applications: Readonly<Record<number, string>> = {
  1: '7zip.7zip',
  2: 'RARLab.WinRAR',
  3: 'Google.Chrome',
  4: 'SumatraPDF.SumatraPDF',
  5: 'Giorgiotani.Peazip',
};

/** Records in the second position are installed for one user only. */
export function thirdpartyFiles(records: Records): FixtureFiles {
  const index = records.map((record) => ({
    Name: record.title,
    PackageId: applications[record.number],
    Version: record.version,
    Tags: [record.severity],
    LastUpdate: toDay(record),
  }));
  const manifests = records.flatMap((record) => {
    const id = applications[record.number] ?? '';
    const folder = `raw.githubusercontent.com/microsoft/winget-pkgs/master/manifests/${id.charAt(0).toLowerCase()}/${id.replace('.', '/')}/${record.version}/${id}`;
    const head = `PackageIdentifier: ${id}\nPackageVersion: "${record.version}"\n`;
    return [
      [
        `${folder}.installer.yaml`,
        `${head}Scope: ${record.position === 0 ? 'machine' : 'user'}\nInstallers:\n- Architecture: x64\n  InstallerType: exe\n  InstallerUrl: https://vendor.example/${id}/${record.version}.exe\n  InstallerSha256: ${'1'.repeat(64)}\nManifestType: installer\nManifestVersion: 1.12.0\n`,
      ],
      [
        `${folder}.locale.en-US.yaml`,
        `${head}PackageLocale: en-US\nPublisher: Lantern\nPackageName: "${record.title}"\n${record.text === null ? '' : `ShortDescription: "${record.text}"\n`}ManifestType: defaultLocale\nManifestVersion: 1.12.0\n`,
      ],
    ];
  });
  return {
    'github.com/svrooij/winget-pkgs-index/raw/main/index.v2.json': JSON.stringify(index),
    ...Object.fromEntries(manifests),
  };
}
