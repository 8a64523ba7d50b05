/** Records of several vendors in the form of their syncs, and an application with the calls about machines. */
import { getList } from '@patch/catalogue/lists.ts';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../platform/database/database.ts';
import { ListMemories } from '../../records/memory/list-memories.ts';
import { buildSearchService } from '../../records/search/testing/build-search-service.ts';
import { appWithRoutes } from '../../testing/app-with-routes.ts';
import { writeRecords } from '../../testing/record-factories.ts';
import { assessHere } from '../assessor.ts';
import { machineRoutes } from '../machines-plugin.ts';

/** Release date of all records, and the application's current time. */
export const released = Date.UTC(2024, 3, 1);

/** Opens an application with the calls about machines. */
export function machineApp(database: Database): Promise<FastifyInstance> {
  return appWithRoutes((route) =>
    machineRoutes(route, {
      searchService: buildSearchService(database),
      assessor: assessHere({
        database,
        memories: new ListMemories(database),
        clock: () => released,
      }),
    }),
  );
}

export const erratum = (
  id: string,
  severity: string,
  packages: readonly (readonly [name: string, version: string])[],
  more: { readonly releases?: readonly string[]; readonly detail?: object } = {},
) => ({
  key: id,
  row: {
    bulletinId: id,
    title: `${packages[0]?.[0]} update`,
    severity,
    osVersion: [...(more.releases ?? ['AlmaLinux 8'])],
    releaseDate: released,
  },
  detail: {
    packages: packages.map(([name, version]) => ({ name, version, architecture: 'x86_64' })),
    ...more.detail,
  },
});

/** Builds a cumulative update of Windows Server 2022. */
export const serverUpdate = (id: string, build: string, supersededBy: readonly string[] = []) => ({
  key: id,
  row: {
    kbId: id,
    name: `${id} for Server 2022`,
    productName: 'Windows Server 2022',
    severity: 'Critical',
    releaseDate: released,
    supersededBy: [...supersededBy],
    restartBehaviour: 'Required',
  },
  detail: { line: 'Cumulative update', fixedBuild: [build] },
});

/** Writes DSA-5, which fixes the kernel of Debian 11 with 5.10.50-1. */
export async function writeKernelAdvisory(database: Database): Promise<void> {
  await writeRecords(database, getList('debian_patch'), [
    {
      key: 'dsa',
      row: {
        bulletinId: 'DSA-5',
        title: 'linux',
        pkgName: 'linux',
        osVersion: 'Debian 11',
        pkgAndVersion: 'linux 5.10.50-1',
        releaseDate: released,
      },
    },
  ]);
}

/** Windows Server 2022, build 20348.2000, with KB5012170. */
export const server2022 = [
  'Host Name:                 HOST',
  'OS Name:                   Microsoft Windows Server 2022 Standard',
  'OS Version:                10.0.20348 N/A Build 20348',
  'System Type:               x64-based PC',
  'Hotfix(s):                 1 Hotfix(s) Installed.',
  `${' '.repeat(27)}[01]: KB5012170`,
  'Network Card(s):           1 NIC(s) Installed.',
  '',
  'Microsoft Windows [Version 10.0.20348.2000]',
  '',
].join('\r\n');
