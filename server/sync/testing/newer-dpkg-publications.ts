/** What Ubuntu, Debian and Pardus could publish next. */
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { signer } from '@patch/catalogue/testing/signed-text.ts';
import { added, changed, type NewerPublication, replaced, textOf, withdrawn } from './newer-publication.ts';
import type { Documents, VendorStage } from './vendor-stage.ts';

export async function newerUbuntu(stage: VendorStage): Promise<NewerPublication> {
  const page = 'ubuntu.com/security/notices.json@limit=20&offset=0&order=newest';
  const { notices, ...rest } = JSON.parse(await textOf(stage, page)) as { notices: { id: string; title: string }[] };
  const [first, gone] = notices;
  if (first === undefined || gone === undefined) throw new Error('There are too few notices');
  const newest = { ...structuredClone(first), id: 'USN-9100-1', title: 'Quite new' };
  const suite = 'security.ubuntu.com/ubuntu/dists/jammy-security';
  const packages = await textOf(stage, `${suite}/main/binary-amd64/Packages`);
  const renewed = replaced(withoutStanza(packages, 'Version: 0.9-1ubuntu0.1'), 'Section: net', 'Section: admin');
  const stanza =
    'Package: wick\nArchitecture: all\nVersion: 0.9-1ubuntu0.3\nPriority: extra\nFilename: pool/main/w/wick/wick_0.9-1ubuntu0.3_all.deb\n';
  return {
    documents: {
      [page]: JSON.stringify({ ...rest, notices: [newest, { ...first, title: 'Lantern regression, again' }, ...notices.slice(2)] }),
      ...(await renewedSuite(stage, suite, 'main/binary-amd64/Packages', `${renewed.trimEnd()}\n\n${stanza}`)),
    },
    changes: {
      'linux_notice USN-9100-1': added,
      [`linux_notice ${first.id}`]: changed({ title: [first.title, 'Lantern regression, again'] }),
      [`linux_notice ${gone.id}`]: withdrawn,
      'linux_patch_repository jammy-security|main|wick|0.9-1ubuntu0.3|all': added,
      'linux_patch_repository jammy-security|main|lanternd|2:4.1-5ubuntu0.1|amd64': changed({ section: ['net', 'admin'] }),
      'linux_patch_repository jammy-security|main|wick|0.9-1ubuntu0.1|all': withdrawn,
    },
  };
}

export async function newerDebian(stage: VendorStage): Promise<NewerPublication> {
  const path = 'salsa.debian.org/security-tracker-team/security-tracker/raw/master/data/DSA/list';
  const list = await textOf(stage, path);
  const [gone = ''] = /\[14 Aug 2002\](?:.|\n\t)*\n/.exec(list) ?? [];
  const newest = '[07 Jun 2031] DSA-9010-1 wick - security update\n\t[trixie] - wick 0.9-2~deb13u1\n';
  return {
    documents: {
      [path]: newest + replaced(replaced(list, gone, ''), 'lanternd - regression update', 'lanternd - second regression update'),
    },
    changes: {
      'debian_patch DSA-9010-1|trixie|wick': added,
      'debian_patch DSA-9003-2|bookworm|lanternd': changed({
        title: ['lanternd - regression update', 'lanternd - second regression update'],
      }),
      'debian_patch DSA-153|woody|mantle': withdrawn,
    },
  };
}

export async function newerPardus(stage: VendorStage): Promise<NewerPublication> {
  const suite = 'depo.pardus.org.tr/guvenlik/dists/yirmiuc-deb';
  const [, sum = ''] = /([\da-f]{64}) +\d+ main\/binary-amd64\/Packages\.gz/.exec(await textOf(stage, `${suite}/InRelease`)) ?? [];
  const packages = gunzipSync(await stage.document(`${suite}/main/binary-amd64/by-hash/SHA256/${sum}`)).toString();
  const renewed = replaced(withoutStanza(packages, 'Package: candle'), '6'.repeat(64), '9'.repeat(64));
  const newest = 'Package: lantern-new\nVersion: 1.0-1\nArchitecture: all\nFilename: pool/updates/lantern-new.deb\n';
  return {
    documents: await renewedSuite(stage, suite, 'main/binary-amd64/Packages', `${newest}\n${renewed}`),
    changes: {
      'pardus_patch guvenlik yirmiuc-deb|lantern-new|1.0-1': added,
      'pardus_patch guvenlik yirmiuc-deb|wick|0.9-1+deb12u1': changed({ packages: ['1 rows', '1 rows, not the same'] }),
      'pardus_patch guvenlik yirmiuc-deb|candle|1.0-1': withdrawn,
    },
  };
}

function withoutStanza(packages: string, line: string): string {
  const stanzas = packages.split('\n\n');
  const kept = stanzas.filter((stanza) => !stanza.split('\n').includes(line));
  if (kept.length !== stanzas.length - 1) throw new Error(`Not one stanza has ${line}`);
  return kept.join('\n\n');
}

/** One index of a suite anew, plain and by its checksum, in an InRelease of the next day by another key. */
async function renewedSuite(stage: VendorStage, suite: string, path: string, index: string): Promise<Documents> {
  const { publicKey, sign } = await signer();
  stage.trust(publicKey);
  const release = await textOf(stage, `${suite}/InRelease`);
  const [, signed = ''] = /\n\n([\s\S]*?)\n-----BEGIN PGP SIGNATURE-----/.exec(release) ?? [];
  const sum = createHash('sha256').update(index).digest('hex');
  const line = ` ${sum} ${Buffer.byteLength(index)} ${path}`;
  const lines = signed.split('\n').map((listed) => (listed.endsWith(` ${path}`) ? line : listed));
  // Its packed forms would not fit it any more.
  const text = lines
    .filter((listed) => !listed.includes(` ${path}.`))
    .join('\n')
    .replace('04 Jun 2031', '05 Jun 2031');
  const folder = path.slice(0, path.lastIndexOf('/'));
  return {
    [`${suite}/InRelease`]: await sign(text),
    [`${suite}/${path}`]: index,
    [`${suite}/${folder}/by-hash/SHA256/${sum}`]: index,
  };
}
