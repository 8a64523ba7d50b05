/** Inventories of machines that do not exist, for a first look at an answer. */
import type { SourceKey } from '@patch/catalogue/sources.ts';
import type { SourceState } from '@patch/contract/sources/sync-endpoints.ts';

export interface SampleMachine {
  readonly name: string;
  readonly source: SourceKey;
  readonly text: string;
}

const rpmMachine = (
  name: string,
  id: string,
  version: string,
  source: SourceKey,
): SampleMachine => ({
  name: `${name} ${version}`,
  source,
  text: `ID="${id}"
VERSION_ID="${version}"
bash-4.4.19-1.el8.x86_64
openssl-libs-1.1.1-1.el8.x86_64
libxml2-2.9.7-1.el8.x86_64
glibc-2.28-1.el8.x86_64
sudo-1.8.25-1.el8.x86_64
`,
});

const column = ' '.repeat(27);

const samples: readonly SampleMachine[] = [
  {
    name: 'Windows Server 2019',
    source: 'wsus',
    text: `Host Name:                 SAMPLE
OS Name:                   Microsoft Windows Server 2019 Standard
OS Version:                10.0.17763 N/A Build 17763
OS Manufacturer:           Microsoft Corporation
System Type:               x64-based PC
Hotfix(s):                 1 Hotfix(s) Installed.
${column}[01]: KB5034768
Network Card(s):           1 NIC(s) Installed.
`,
  },
  rpmMachine('AlmaLinux', 'almalinux', '8.9', 'almaLinux'),
  rpmMachine('Rocky Linux', 'rocky', '8.9', 'rockyLinux'),
  rpmMachine('Oracle Linux', 'ol', '8.9', 'oracleLinux'),
  {
    name: 'Debian 12',
    source: 'debian',
    text: `ID=debian
VERSION_ID="12"
VERSION_CODENAME=bookworm
openssl 3.0.9-1 amd64
libssl3 3.0.9-1 amd64
sudo 1.9.13p3-1 amd64
bash 5.2.15-2+b2 amd64
`,
  },
];

/** Returns the first sample whose source has been synced. */
export function selectSampleMachine(sources: readonly SourceState[]): SampleMachine | null {
  const synced = new Set(
    sources.filter(({ lastSuccessAt }) => lastSuccessAt !== null).map(({ source }) => source),
  );
  return samples.find(({ source }) => synced.has(source)) ?? null;
}
