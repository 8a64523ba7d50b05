/**
 * `npm run screens`: a picture of every screen, light and dark, wide and on a phone, into .cache/screens; with names behind `--`,
 * of these screens. `npm run screens -- --documents`: the pictures that README and docs show, into docs/screens. All data are
 * generated: the fixtures of all vendors' tests, and some hundreds of errata of AlmaLinux.
 */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sourceKeys } from '@patch/catalogue/sources.ts';
import type { LicensedClient } from '@patch/contract/licensing/licensed-client-endpoints.ts';
import { type APIRequestContext, type Browser, chromium, request } from '@playwright/test';
import { madeEntry } from '../bench/errata-generator.ts';
import { launchOptions } from './chromium.ts';
import { root, startProduct } from './running-product.ts';
import { narrow, open, screens, wide } from './screens.ts';
import { exampleClient, Service } from './service.ts';

const args = process.argv.slice(2);
const forDocuments = args.includes('--documents');
const chosen = args.filter((arg) => arg !== '--documents');
const unknown = chosen.filter((name) => screens.every((screen) => screen.name !== name));
if (unknown.length > 0)
  throw new Error(
    `Unknown screens: ${unknown.join(', ')}. Screens: ${screens.map(({ name }) => name).join(', ')}`,
  );

const pictures = join(root, forDocuments ? 'docs' : '.cache', 'screens');
const picturesOfDocuments = forDocuments ? await namesInDocuments() : new Set<string>();
const madeErrata = 600;
const hour = 3_600_000;
const day = 24 * hour;
/** Quality of WebP from 0 to 100 at which words stay sharp. */
const quality = 55;

const folder = await mkdtemp(join(tmpdir(), 'patch-repository-screens-'));
try {
  const upstream = await madeUpstream(join(folder, 'upstream'));
  const product = await startProduct({ DATA_DIR: join(folder, 'data'), FEED_MIRROR: upstream });
  try {
    const caller = await request.newContext({ baseURL: product.url });
    const service = await Service.signedIn(caller);
    // No document is made for these.
    await service.sync(sourceKeys.filter((source) => source !== 'epss' && source !== 'cvss'));
    await service.furnish();
    await peopled(service, caller);
    if (chosen.length === 0) await rm(pictures, { recursive: true, force: true });
    await mkdir(pictures, { recursive: true });
    const browser = await chromium.launch(launchOptions);
    for (const viewport of [wide, narrow])
      for (const colorScheme of ['light', 'dark'] as const)
        await takeAll(browser, product.url, service, { viewport, colorScheme });
    await browser.close();
    await caller.dispose();
  } finally {
    await product.stop();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function takeAll(
  browser: Browser,
  baseURL: string,
  service: Service,
  look: { readonly viewport: typeof wide; readonly colorScheme: 'light' | 'dark' },
): Promise<void> {
  const isNarrow = look.viewport === narrow;
  for (const screen of screens.filter(({ name }) => chosen.length === 0 || chosen.includes(name))) {
    if (screen.narrowOnly === true && !isNarrow) continue;
    const name = `${screen.name}-${look.viewport.width}-${look.colorScheme}`;
    if (forDocuments && !picturesOfDocuments.has(name)) continue;
    const context = await browser.newContext({
      ...look,
      baseURL,
      locale: 'en-GB',
      timezoneId: 'Europe/Istanbul',
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    if (screen.isPublic === undefined) await service.enter(page);
    try {
      await open(page, screen);
      const devtools = await context.newCDPSession(page);
      const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality });
      await writeFile(join(pictures, `${name}.webp`), Buffer.from(data, 'base64'));
    } catch (error) {
      throw new Error(`No picture of ${name} could be taken`, { cause: error });
    } finally {
      await context.close();
    }
  }
}

/** Names of the pictures that README and docs show. */
async function namesInDocuments(): Promise<ReadonlySet<string>> {
  const documents = (await readdir(join(root, 'docs'), { recursive: true }))
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file));
  const texts = await Promise.all(
    ['README.md', ...documents].map((file) => readFile(join(root, file), 'utf8')),
  );
  return new Set(
    Array.from(texts.join('\n').matchAll(/screens\/([\w-]+)\.webp/g), ([, name = '']) => name),
  );
}

/** All vendors' fixtures under one folder, as a mirror has them. */
async function madeUpstream(to: string): Promise<string> {
  const vendors = join(root, 'catalogue', 'vendors');
  for (const vendor of await readdir(vendors)) {
    await cp(join(vendors, vendor, 'fixtures'), to, { recursive: true }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      },
    );
  }
  for (const [offset, release] of ['8', '9'].entries()) {
    const data = Array.from({ length: madeErrata }, (_, n) => almaErratum(n * 2 + offset));
    await mkdir(join(to, 'errata.almalinux.org', release), { recursive: true });
    await writeFile(
      join(to, 'errata.almalinux.org', release, 'errata.full.json'),
      JSON.stringify({ schema_version: '1.0', data }),
    );
  }
  await mkdir(join(to, 'www.cisa.gov', 'sites/default/files/feeds'), { recursive: true });
  await writeFile(
    join(to, 'www.cisa.gov', 'sites/default/files/feeds/known_exploited_vulnerabilities.json'),
    JSON.stringify(madeKevCatalogue()),
  );
  return to;
}

/** Lists CVEs of recent errata, two of them used by ransomware. */
function madeKevCatalogue(): object {
  const errata = [1, 4, 9, 16, 25, 36];
  const vulnerabilities = errata.map((n, index) => ({
    cveID: almaErratumCve(n),
    vendorProject: 'Example',
    product: 'Library',
    vulnerabilityName: `Example Library Out-of-Bounds Write Vulnerability ${index + 1}`,
    dateAdded: new Date(almaErratumTime(n)).toISOString().slice(0, 10),
    shortDescription: 'A length is believed before it is checked.',
    requiredAction: 'Apply the update of the vendor.',
    dueDate: new Date(almaErratumTime(n) + 21 * day).toISOString().slice(0, 10),
    knownRansomwareCampaignUse: index < 2 ? 'Known' : 'Unknown',
    notes: '',
    cwes: ['CWE-787'],
  }));
  return {
    title: 'CISA Catalog of Known Exploited Vulnerabilities',
    catalogVersion: '2026.01.01',
    dateReleased: new Date().toISOString(),
    count: vulnerabilities.length,
    vulnerabilities,
  };
}

/** Up to a year back from now, so that the pictures show what is new as well. Epoch milliseconds. */
function almaErratumTime(n: number): number {
  return Date.now() - 5 * hour - n * 7 * hour;
}

function almaErratumCve(n: number): string {
  return `CVE-${new Date(almaErratumTime(n)).getUTCFullYear()}-${20_000 + n}`;
}

function almaErratum(n: number): object {
  const { row } = madeEntry(n);
  const { bulletinId, title, severity, category, binaryPkgName } = row as Readonly<
    Record<string, unknown>
  >;
  const issued = almaErratumTime(n);
  const year = new Date(issued).getUTCFullYear();
  const cve = almaErratumCve(n);
  return {
    id: String(bulletinId).replace(/\d{4}(?=:)/, String(year)),
    issued_date: Math.round(issued / 1000),
    updated_date: Math.round((issued + 2 * hour) / 1000),
    severity,
    title,
    type: category,
    description:
      'The update mends how a crafted file is read.\n\nSecurity fixes:\n\n* a length was believed before it was checked',
    packages: (Array.isArray(binaryPkgName)
      ? (binaryPkgName as string[])
      : [String(binaryPkgName)]
    ).map((name) => ({
      name,
      epoch: '0',
      version: '2.4.1',
      release: '3.el9',
      arch: 'x86_64',
      src: `${name}-2.4.1-3.el9.src.rpm`,
      filename: `${name}-2.4.1-3.el9.x86_64.rpm`,
      checksum: String(n).padStart(64, '0'),
      checksum_type: 'sha256',
      reboot_suggested: 0,
    })),
    modules: [],
    references: [{ id: cve, type: 'cve', href: `https://access.redhat.com/security/cve/${cve}` }],
  };
}

/** Some colleagues, and clients in each state that a licence may be in: one that has fetched, one whose licence ends soon, one revoked. */
async function peopled(service: Service, caller: APIRequestContext): Promise<void> {
  for (const name of ['auditor', 'operator', 'service desk'])
    await service.ask('POST', '/user', {
      name,
      email: `${name.replace(' ', '-')}@example.org`,
      userType: name === 'operator' ? 'Admin' : 'Standard',
      password: 'Shown-in-no-picture-1',
    });
  const client = (clientName: string, more: object) =>
    service.ask<LicensedClient>('POST', '/windows/user', { ...exampleClient, clientName, ...more });
  const library = await client('Example Library', {
    families: ['almaLinux'],
    deploymentMode: 'standalone',
  });
  await client('Example Railways', { licenseExpiry: Date.now() + 6 * day, deploymentMode: 'HA' });
  await client('Example School', {
    licenseType: 'trial',
    licenseExpiry: Date.now() + 21 * day,
    deploymentMode: 'standalone',
  });
  await client('Example University', {
    licenseType: 'perpetual',
    licenseExpiry: null,
    deploymentMode: 'slave',
  });
  const { id } = await client('Example Airline', {});
  await service.ask('POST', `/windows/user/${id}/revoke`);
  const activated = await caller.post('/api/client/activate', {
    data: {
      activationCode: library.activationCode,
      applicationVersion: '8.7.1',
      hostName: 'repository.library.example.org',
    },
  });
  const { token } = (await activated.json()) as { token: string };
  const headers = { authorization: `Apikey ${token}` };
  await caller.get('/api/client/changes?list=almalinux_patch', { headers });
  await caller.post('/api/client/heartbeat', {
    headers,
    data: { applicationVersion: '8.7.1', repoUpdatedOn: Date.now() },
  });
}
