/** What the distributions of RPM packages could publish next. */
import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { added, changed, type NewerPublication, replaced, textOf, withdrawn } from './newer-publication.ts';
import type { Documents, VendorStage } from './vendor-stage.ts';

export async function newerCentos(stage: VendorStage): Promise<NewerPublication> {
  const folder = 'cefs.steve-meier.de';
  const errata = await textOf(stage, `${folder}/errata.latest.xml.bz2`);
  const [, gone = ''] = /(<CEEA-2031--C003 [\s\S]*<\/CEEA-2031--C003>)/.exec(errata) ?? [];
  const erratum =
    '<CEBA-2031--4999 issue_date="2031-06-09 10:00:00" synopsis="CentOS wick BugFix Update" type="Bug Fix Advisory"><os_release>7</os_release><packages>wick-1.0-1.el7.x86_64.rpm</packages></CEBA-2031--4999>';
  const title = 'Moderate CentOS lanternd Security Update';
  const renewed = replaced(replaced(errata, gone, erratum), title, `${title}, again`);
  const sum = createHash('sha1').update(renewed).digest('hex');
  const retitled = changed({ title: [title, `${title}, again`] });
  return {
    documents: {
      [`${folder}/errata.latest.xml.bz2`]: renewed,
      [`${folder}/errata.latest.sha1`]: `${sum}  errata.latest.xml\n${sum}  errata.latest.xml.bz2\n`,
    },
    changes: {
      'centos_patch 7:CEBA-2031:4999': added,
      'centos_patch 6:CESA-2031:4101': retitled,
      'centos_patch 7:CESA-2031:4101': retitled,
      'centos_patch 7:CEEA-2031:C003': withdrawn,
    },
  };
}

export async function newerOpensuse(stage: VendorStage): Promise<NewerPublication> {
  const leap = 'download.opensuse.org/update/leap';
  const repositories = await Promise.all([
    renewedRepository(stage, `${leap}/15.5/oss`, (xml) => replaced(xml, 'openSUSE-2021-137', 'openSUSE-2021-150')),
    renewedRepository(stage, `${leap}/15.6/oss`, (xml) => replaced(xml, 'candle, second', 'candle, third')),
  ]);
  return {
    documents: Object.assign({}, ...repositories) as Documents,
    changes: {
      'opensuse_patch 15.5:openSUSE-2021-150': added,
      'opensuse_patch 15.6:openSUSE-2021-138': changed({
        title: ['Recommended update for candle, second', 'Recommended update for candle, third'],
      }),
      'opensuse_patch 15.5:openSUSE-2021-137': withdrawn,
    },
  };
}

export async function newerOraclelinux(stage: VendorStage): Promise<NewerPublication> {
  const repository = 'yum.oracle.com/repo/OracleLinux/OL8/baseos/latest/x86_64';
  return {
    documents: await renewedRepository(stage, repository, (xml) =>
      replaced(replaced(xml, 'candle bug fix update', 'candle bug fix update, again'), 'ELSA-2021-12887-1', 'ELSA-2021-12999'),
    ),
    changes: {
      'oracle_linux_patch 8:ELSA-2021-12999': added,
      'oracle_linux_patch 8:ELBA-2021-4102': changed({ title: ['candle bug fix update', 'candle bug fix update, again'] }),
      'oracle_linux_patch 8:ELSA-2021-12887-1': withdrawn,
    },
  };
}

export async function newerAlmalinux(stage: VendorStage): Promise<NewerPublication> {
  const path = 'errata.almalinux.org/8/errata.full.json';
  // As text: its numbers are larger than those of JavaScript.
  const errata = await textOf(stage, path);
  return {
    documents: {
      [path]: replaced(replaced(errata, 'ALEA-2031:4104', 'ALEA-2031:4999'), '"severity": "Important"', '"severity": "Critical"'),
    },
    changes: {
      'almalinux_patch 8:ALEA-2031:4999': added,
      'almalinux_patch 8:ALSA-2031:4101': changed({ severity: ['Important', 'Critical'] }),
      'almalinux_patch 8:ALEA-2031:4104': withdrawn,
    },
  };
}

export async function newerRockylinux(stage: VendorStage): Promise<NewerPublication> {
  const [one, two] = [1, 2].map((page) => `apollo.build.resf.org/api/v3/advisories/index.json@page=${page}&size=100`) as [string, string];
  type Page = { advisories: { id: number; name: string | null; severity: string | null }[] };
  const pages = await Promise.all([one, two].map(async (path) => JSON.parse(await textOf(stage, path)) as Page));
  const kept = pages.flatMap(({ advisories }) => advisories).filter(({ name }) => name !== 'RLEA-2031:4104');
  const edited = kept.find(({ name }) => name === 'RLSA-2031:4101');
  if (edited === undefined) throw new Error('There is no advisory to edit');
  const newest = { ...structuredClone(edited), id: 2000, name: 'RLSA-2031:4999' };
  edited.severity = 'Critical';
  const advisories = [newest, ...kept];
  const regraded = changed({ severity: ['Important', 'Critical'] });
  return {
    documents: { [one]: JSON.stringify({ ...pages[0], advisories, total: advisories.length }), [two]: null },
    changes: {
      'rockylinux_patch 8:RLSA-2031:4999': added,
      'rockylinux_patch 9:RLSA-2031:4999': added,
      'rockylinux_patch 8:RLSA-2031:4101': regraded,
      'rockylinux_patch 9:RLSA-2031:4101': regraded,
      'rockylinux_patch 9:RLEA-2031:4104': withdrawn,
    },
  };
}

const digest = (algorithm: string, content: string | Uint8Array) => createHash(algorithm).update(content).digest('hex');

/** The updateinfo of a repository anew, and the repomd.xml that names it. */
async function renewedRepository(stage: VendorStage, repository: string, change: (updateinfo: string) => string): Promise<Documents> {
  const repomd = await textOf(stage, `${repository}/repodata/repomd.xml`);
  const [, href = ''] = /<location href="([^"]*updateinfo[^"]*)"/.exec(repomd) ?? [];
  const packed = await stage.document(`${repository}/${href}`);
  const open = gunzipSync(packed).toString();
  const renewed = change(open);
  const renewedPacked = gzipSync(renewed);
  const [, type = ''] = /<checksum type="(\w+)"/.exec(repomd) ?? [];
  const algorithm = type === 'sha' ? 'sha1' : type;
  return {
    [`${repository}/repodata/repomd.xml`]: replaced(
      replaced(repomd, digest(algorithm, packed), digest(algorithm, renewedPacked)),
      digest(algorithm, open),
      digest(algorithm, renewed),
    ),
    [`${repository}/${replaced(href, digest(algorithm, packed), digest(algorithm, renewedPacked))}`]: renewedPacked,
    [`${repository}/${href}`]: null,
  };
}
