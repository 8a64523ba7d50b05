import type { ListKey } from '@patch/catalogue/lists.ts';
import { getList } from '@patch/catalogue/lists.ts';
import type { WireDetail } from '@patch/contract/base/row-schema.ts';
import { csafAdvisoryEndpoint } from '@patch/contract/formats/csaf-endpoints.ts';
import { osvRecordEndpoint } from '@patch/contract/formats/osv-endpoints.ts';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { refusal, reply, respond, sentCalls } from '../testing/fake-api.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
import { RecordExport } from './record-export.tsx';

const saved: { name: string; text: Promise<string> }[] = [];

beforeEach(() => {
  let blob = new Blob();
  vi.spyOn(URL, 'createObjectURL').mockImplementation((one) => {
    blob = one as Blob;
    return 'blob:saved';
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
    this: HTMLAnchorElement,
  ) {
    saved.push({ name: this.download, text: blob.text() });
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  saved.length = 0;
});

async function open(
  list: ListKey,
  record: object,
  replies: Parameters<typeof renderInApp>[1] = {},
) {
  await renderInApp(
    <RecordExport list={getList(list)} record={{ id: 7, ...record } as WireDetail} />,
    replies,
  );
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Export' }));
  return user;
}

const readLabels = async () =>
  (await screen.findAllByRole('menuitem')).map((item) => item.textContent);

test.each([
  ['almalinux_patch', { bulletinId: 'ALSA-2024:1' }, ['OSV', 'CSAF 2.1', 'JSON']],
  ['oracle_linux_patch', { bulletinId: 'ELSA-2024-1' }, ['CSAF 2.1', 'JSON']],
  ['patch_repository', { kbId: 'KB5034129' }, ['CSAF 2.1', 'JSON']],
  ['patch_repository', { kbId: null, name: 'Defender' }, ['JSON']],
  ['vulnerabilities', { cve: 'CVE-2024-0001' }, ['JSON']],
] as const)('offers the formats that a record of %s has: %j', async (list, record, formats) => {
  await open(list, record);
  expect((await readLabels()).map((label) => label.split(',')[0])).toEqual(formats);
});

test('saves the document of the advisory under its name', async () => {
  const user = await open(
    'almalinux_patch',
    { bulletinId: 'ALSA-2024:1' },
    {
      replies: [
        reply(osvRecordEndpoint, { id: 'ALSA-2024:1' }),
        reply(csafAdvisoryEndpoint, { document: { title: 'bash' } }),
      ],
    },
  );
  await user.click(await screen.findByRole('menuitem', { name: /^OSV/ }));
  await waitFor(() => expect(saved).toHaveLength(1));
  await user.click(screen.getByRole('button', { name: 'Export' }));
  await user.click(await screen.findByRole('menuitem', { name: /^CSAF/ }));
  await waitFor(() => expect(saved).toHaveLength(2));
  expect(saved.map(({ name }) => name)).toEqual(['alsa-2024_1.osv.json', 'alsa-2024_1.csaf.json']);
  expect(JSON.parse((await saved[1]?.text) ?? '')).toEqual({ document: { title: 'bash' } });
  expect(sentCalls().map(({ path }) => path)).toEqual([
    '/osv/v1/vulns/ALSA-2024:1',
    '/csaf/advisory/ALSA-2024:1',
  ]);
});

test.each([
  [csafAdvisoryEndpoint, /^CSAF/, refusal(404, { userMessage: 'There is no advisory.' })],
  [
    osvRecordEndpoint,
    /^OSV/,
    Response.json(
      {
        code: 5,
        message: 'There is no advisory.',
        details: [{ reason: 'not_found', metadata: { requestId: 'r' } }],
      },
      { status: 404 },
    ),
  ],
] as const)(
  'says why a document cannot be exported, and saves nothing: %#',
  async (endpoint, name, response) => {
    const user = await open(
      'almalinux_patch',
      { bulletinId: 'ALSA-2024:1' },
      { replies: [respond(endpoint, () => response.clone())] },
    );
    await user.click(await screen.findByRole('menuitem', { name }));
    await screen.findByText('There is no advisory.');
    expect(saved).toEqual([]);
  },
);
