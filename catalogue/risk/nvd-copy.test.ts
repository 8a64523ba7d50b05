import { expect, test } from 'vitest';
import type { OpenOptions } from '../definition/feed.ts';
import { findPart } from '../testing/find-part.ts';
import { memoryPublication, type Served } from '../testing/memory-publication.ts';
import {
  file,
  formatMeta,
  fullRecord,
  meta,
  nvdFile,
  records,
  served,
} from '../testing/nvd-files.ts';
import { readCompletePart } from '../testing/read-complete-part.ts';
import { xzFrom } from '../testing/xz-from.ts';
import { createNvdParts } from './nvd-feed.ts';

const now = Date.UTC(2031, 3, 10);
const feed = { parts: createNvdParts(now) };
const copies = 'https://github.com/fkie-cad/nvd-json-data-feeds/releases/latest/download';

/** Copied records have no wrapper and stand in an array of another name. */
function copied(name: string, ...ids: readonly string[]): Served {
  const text = JSON.stringify({
    feed_name: `CVE-${name}`,
    cve_count: ids.length,
    cve_items: ids.map((id) => ({ ...fullRecord, id })),
  });
  return {
    [`${copies}/CVE-${name}.json.xz`]: xzFrom(Buffer.from(text)),
    [`${copies}/CVE-${name}.meta`]: formatMeta(text, '2031-04-10T00:00:00Z', '\n').replace(
      /[A-F\d]{64}/,
      (sum) => sum.toLowerCase(),
    ),
  };
}

const refused = (name: string): Served => ({ [meta(name)]: 403 });

test("reads the copy of a year with a remark when NVD refuses, and NVD's file once it answers", async () => {
  const part = findPart(feed, '2031');
  const { items, ...contents } = await readCompletePart(
    part,
    memoryPublication(
      { ...refused('2031'), ...copied('2031', 'CVE-2031-1007', 'CVE-2031-1008') },
      { now },
    ),
  );
  expect(records(items).map(({ cve, scores }) => [cve, scores.length])).toEqual([
    ['CVE-2031-1007', 7],
    ['CVE-2031-1008', 7],
  ]);
  expect(contents).toMatchObject({
    isComplete: false,
    standIn: [
      {
        code: 'second_address_read',
        params: { url: `${copies}/CVE-2031.json.xz`, cause: { code: 'not_fetched' } },
      },
    ],
  });
  const remembered = contents.remember ?? {};
  const healed = memoryPublication(served('2031', nvdFile([fullRecord])), { now, remembered });
  await part.contents(healed);
  expect(healed.requested).toEqual([meta('2031'), file('2031')]);
});

test('reads the four files of the copy that cover the first file of NVD', async () => {
  const publication = memoryPublication({
    ...refused('2002'),
    ...['1999', '2000', '2001', '2002'].reduce(
      (all, year) => ({ ...all, ...copied(year, `CVE-${year}-0001`) }),
      {},
    ),
  });
  const { items } = await readCompletePart(findPart(feed, '2002'), publication);
  expect(records(items).map(({ cve }) => cve)).toEqual([
    'CVE-1999-0001',
    'CVE-2000-0001',
    'CVE-2001-0001',
    'CVE-2002-0001',
  ]);
});

test('continues the gapless span when the copy contains the modified CVEs', async () => {
  const remembered = { since: '2031-04-02T00:00:00.000Z', until: '2031-04-09T22:00:00.000Z' };
  const publication = memoryPublication(
    { ...refused('modified'), ...copied('Modified', 'CVE-2031-1007') },
    { now, remembered },
  );
  const { remember } = await findPart(feed, 'modified').contents(publication);
  expect(remember).toEqual({
    reader: '1',
    since: '2031-04-02T00:00:00.000Z',
    until: '2031-04-10T00:00:00.000Z',
  });
});

test.each<[string, Served]>([
  ['is not there', {}],
  ['refuses too', { [`${copies}/CVE-2031.meta`]: 500 }],
  ['states no checksum', { [`${copies}/CVE-2031.meta`]: '<html></html>' }],
])('reports the failure of NVD when the copy %s', async (_name, copy) => {
  const contents = findPart(feed, '2031').contents(
    memoryPublication({ ...refused('2031'), ...copy }, { now }),
  );
  await expect(contents).rejects.toThrow(/nvd\.nist\.gov.* answered 403/);
});

test("allows redirects of the copy to GitHub's hosts and of NVD to its own host only", async () => {
  const publication = memoryPublication(
    { ...refused('2031'), ...copied('2031', 'CVE-2031-1007') },
    { now },
  );
  const hosts = new Map<string, OpenOptions['redirectHosts']>();
  await findPart(feed, '2031').contents({
    ...publication,
    open: (url, options) => {
      hosts.set(new URL(url).host, options?.redirectHosts);
      return publication.open(url, options);
    },
  });
  expect([...hosts]).toEqual([
    ['nvd.nist.gov', ['nvd.nist.gov']],
    [
      'github.com',
      ['github.com', 'objects.githubusercontent.com', 'release-assets.githubusercontent.com'],
    ],
  ]);
});
