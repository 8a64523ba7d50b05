import type { SourceKey } from '@patch/catalogue/sources.ts';
import { type Assessment, assessmentEndpoint } from '@patch/contract/fleet/assessment-endpoint.ts';
import {
  preferencesEndpoint,
  saveFramePreferenceEndpoint,
} from '@patch/contract/operations/preference-endpoints.ts';
import { sourcesEndpoint } from '@patch/contract/sources/sync-endpoints.ts';
import { stateOfSource } from '@patch/contract/testing/state-of-source.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { fetchPreferences } from '../../api/preferences.ts';
import {
  addReplies,
  bodiesSentTo,
  refuse,
  reply,
  sentCalls,
  sentTo,
} from '../../testing/fake-api.ts';
import { fillIn, person } from '../../testing/person.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { buildJudgement, missingRecord } from '../../testing/service-values.ts';
import { CheckMachineScreen } from './check-machine-screen.tsx';

const machineChecked = reply(saveFramePreferenceEndpoint, {
  preferences: {},
  frame: { machine: 'checked' },
});

const judged = buildJudgement(2);
const counted = judged.verdicts;

const answer: Assessment = {
  ...judged,
  system: null,
  machine: {
    platform: 'linux',
    distribution: 'almalinux',
    release: '8.9',
    architecture: 'x86_64',
    build: null,
    kernel: null,
    packages: 2,
    kbs: 0,
    applications: 0,
    rebootPending: null,
    restartDue: null,
    endOfLife: null,
  },
  understood: [{ format: 'rpm', lines: 2 }],
  unreadable: [{ line: 3, text: 'lorem', reason: 'No known format of an inventory' }],
  unreadableLines: 1,
  advice: [
    { kind: 'noKernel', text: 'The text does not name the running kernel.', command: 'uname -r' },
  ],
  missing: [{ ...missingRecord, supersededBy: [] }],
  install: [
    {
      identifier: 'ALSA-2024:2',
      list: 'almalinux_patch',
      recordId: 7,
      command: 'dnf upgrade --advisory=ALSA-2024:2',
      restart: 'Reboot',
    },
  ],
  installCommand: 'dnf upgrade --advisory=ALSA-2024:2',
  bands: [
    {
      band: 'exploited',
      missing: 1,
      closed: 1,
      install: ['ALSA-2024:2'],
      command: 'dnf upgrade --advisory=ALSA-2024:2',
    },
  ],
  notJudged: [],
  noAdvisory: { count: 0, names: [], sources: [] },
  leftOut: [],
  noFix: [],
  counts: {
    critical: 1,
    important: 0,
    moderate: 0,
    low: 0,
    unspecified: 0,
    exploited: 1,
    uncertain: 0,
    needsSubscription: 0,
  },
};

const emptyReply: Assessment = {
  ...answer,
  verdicts: { ...counted, fixed: 2, missing: 0 },
  unreadable: [],
  unreadableLines: 0,
  advice: [],
  missing: [],
  install: [],
  installCommand: null,
  bands: [],
  counts: { ...answer.counts, critical: 0, exploited: 0 },
};

async function open(...synced: readonly SourceKey[]) {
  const objList = synced.map((source) => stateOfSource({ source, lastSuccessAt: Date.now() }));
  addReplies(reply(sourcesEndpoint, { objList, totalCount: objList.length }));
  await renderInApp(<CheckMachineScreen />, { session: {} });
}

async function check(body: Assessment) {
  addReplies(
    reply(assessmentEndpoint, body),
    reply(preferencesEndpoint, { preferences: {}, frame: {} }),
    machineChecked,
  );
  await open();
  await fetchPreferences();
  await fillIn(await screen.findByLabelText('Output of the machine’s tools'), 'bash-4.4.20-4.el8');
  await person.click(screen.getByRole('button', { name: 'Check' }));
}

it('shows missing records with their evidence, and the command that installs them', async () => {
  await check(answer);
  const verdict = 'At least 1 patch missing, judged with AlmaLinux data up to 12 Feb 2025';
  expect(await screen.findByRole('heading', { name: verdict })).toBeTruthy();
  const result = screen.getByRole('region', { name: 'Result' });
  expect(result.textContent).toContain('1 known exploited, 1 critical. 1 update closes it.');
  expect(within(result).getByText(/^AlmaLinux 8/)).toBeTruthy();
  const band = screen.getByRole('region', { name: 'Exploited now: 1' });
  const row = within(band).getByRole('row', { name: /ALSA-2024:2/ });
  expect(row.textContent).toContain('bash 4.4.20-4.el8 → 4.4.20-6.el8');
  expect(within(row).getByRole('link').getAttribute('href')).toBe(
    '/patch-repository/almalinux-patch/record/7',
  );
  expect(band.textContent).toContain('dnf upgrade --advisory=ALSA-2024:2');
  expect(band.textContent).toContain('Reboot');
  expect(screen.getByText('The text does not name the running kernel.')).toBeTruthy();
  expect(sentTo(assessmentEndpoint).at(-1)?.body).toEqual({ text: 'bash-4.4.20-4.el8' });
  // The first steps of the dashboard know it in every browser.
  await waitFor(() =>
    expect(sentTo(saveFramePreferenceEndpoint)[0]?.body).toEqual({ machine: 'checked' }),
  );
});

it('never says that nothing is missing when the release was not judged', async () => {
  await check({
    ...emptyReply,
    verdicts: { ...counted, compared: 0, fixed: 0, missing: 0, notJudged: 2 },
    notJudged: [{ reason: 'releaseNotInCatalogue', count: 2, names: ['bash', 'curl'] }],
  });
  expect(await screen.findByRole('heading', { name: 'Not judged' })).toBeTruthy();
  expect(screen.getByText(/no records of the release \(bash, curl\)/)).toBeTruthy();
  expect(screen.queryByText(/Nothing is missing/)).toBeNull();
});

it.each([
  [
    'a source is stale',
    { sources: judged.sources.map((one) => ({ ...one, concern: 'Silent for 276 days' })) },
  ],
  ['a package is not judged', { verdicts: { ...counted, compared: 1, notJudged: 1 } }],
  ['Windows itself is not judged', { system: 'notJudged' as const }],
  ['records were left out', { leftOut: [{ reason: 'hotpatch', count: 1 }] }],
])('proves nothing when %s', async (_, more) => {
  await check({ ...emptyReply, ...more });
  expect(
    await screen.findByRole('heading', {
      name: 'No missing patch could be proven, judged with AlmaLinux data up to 12 Feb 2025',
    }),
  ).toBeTruthy();
});

it('says that nothing is missing when everything was compared with fresh data', async () => {
  await check(emptyReply);
  expect(
    await screen.findByRole('heading', {
      name: 'Nothing is missing of what this repository knows, judged with AlmaLinux data up to 12 Feb 2025',
    }),
  ).toBeTruthy();
  expect(screen.getByText(/2 packages: 2 compared, 0 not judged/)).toBeTruthy();
});

it('says first that the vendor has ended its support', async () => {
  await check({ ...emptyReply, machine: { ...answer.machine, endOfLife: Date.UTC(2024, 5, 30) } });
  expect(
    await screen.findByRole('heading', { name: /^No longer supported by its vendor, judged with/ }),
  ).toBeTruthy();
  expect(screen.getByText(/ended its support on/)).toBeTruthy();
});

it('groups missing records by urgency, each group with what closes it', async () => {
  const [first] = answer.missing;
  const others = [
    { recordId: 8, identifier: 'KB2', severity: 'Important', exploited: null },
    { recordId: 9, identifier: 'KB3', severity: null, exploited: false },
    { recordId: 10, identifier: 'KB4', state: 'uncertain' as const, reason: 'versionBound' },
  ];
  await check({
    ...answer,
    missing: [first, ...others.map((more) => ({ ...first, ...more }))] as Assessment['missing'],
    bands: [
      ...answer.bands,
      { band: 'serious', missing: 1, closed: 1, install: ['KB2', 'KB9'], command: null },
      { band: 'others', missing: 1, closed: 0, install: [], command: null },
    ],
  });
  const serious = await screen.findByRole('region', { name: 'Critical and important: 1' });
  expect(serious.textContent).toContain('2 updates close it.');
  expect(within(serious).getByText('KB2 KB9')).toBeTruthy();
  expect(within(serious).getByRole('button', { name: 'Copy identifiers' })).toBeTruthy();
  expect(screen.getByRole('region', { name: 'The rest: 1' }).textContent).not.toContain('close');
  const uncertain = screen.getByRole('region', {
    name: 'Not certain, or with a subscription only: 1',
  });
  expect(uncertain.textContent).toContain('The inventory states only a limit of the version.');
});

it('offers the better command first when the inventory is incomplete', async () => {
  await check({
    ...answer,
    advice: [{ kind: 'noEpochs', text: 'The list has no epochs.', command: 'rpm -qa --qf …' }],
  });
  const result = await screen.findByRole('region', { name: 'Result' });
  expect(result.textContent).toContain('rpm -qa --qf …');
  expect(within(result).getByRole('button', { name: 'Copy better command' })).toBeTruthy();
});

it('saves the missing records as CSV, and prints a report', async () => {
  await check(answer);
  const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  const print = vi.fn();
  Object.assign(window, { print });
  await person.click(await screen.findByRole('button', { name: 'CSV' }));
  await waitFor(() => expect(clicked).toHaveBeenCalledOnce());
  const [link] = clicked.mock.contexts as HTMLAnchorElement[];
  expect([link?.download, link?.protocol]).toEqual(['missing-patches.csv', 'blob:']);
  expect(sentCalls().at(-1)).toMatchObject({
    query: { format: 'csv' },
    body: { text: 'bash-4.4.20-4.el8' },
  });
  await person.click(screen.getByRole('button', { name: 'Print report' }));
  expect(print).toHaveBeenCalledOnce();
  Reflect.deleteProperty(window, 'print');
  clicked.mockRestore();
  act(() => void dispatchEvent(new Event('beforeprint')));
  const report = screen.getByRole('article');
  expect(report.textContent).toContain('Exploited now: 1, 1 update closes it');
  expect(report.textContent).toContain('bash 4.4.20-4.el8 → 4.4.20-6.el8');
  act(() => void dispatchEvent(new Event('afterprint')));
  expect(screen.queryByRole('article')).toBeNull();
});

it('lists vulnerabilities without a fix separately, by package', async () => {
  await check({
    ...answer,
    noFix: [
      { cve: 'CVE-2021-1000', package: 'linux' },
      { cve: 'CVE-2021-1001', package: 'linux' },
    ],
  });
  expect(await screen.findByText('No fix published: 2 vulnerabilities in 1 package')).toBeTruthy();
  const link = screen.getByRole('link', { name: 'CVE-2021-1001' });
  expect(link.getAttribute('href')).toContain('/identifier/CVE-2021-1001');
  expect(screen.getByRole('heading', { name: /^At least 1 patch missing/ })).toBeTruthy();
});

it("shows the server's reason for a refused text, and preserves the text", async () => {
  addReplies(refuse(assessmentEndpoint, 422, { userMessage: 'The inventory is empty.' }));
  await open();
  const field = await screen.findByLabelText('Output of the machine’s tools');
  await fillIn(field, 'x');
  await person.click(screen.getByRole('button', { name: 'Check' }));
  expect((await screen.findByRole('alert')).textContent).toBe('The inventory is empty.');
  expect((field as HTMLTextAreaElement).value).toBe('x');
});

it('reads files in any encoding, and clears everything', async () => {
  await open();
  const bytes = new Uint8Array(Buffer.from('\uFEFFKB5012170', 'utf16le'));
  const file = new File([bytes], 'systeminfo.txt', { type: 'text/plain' });
  await person.upload(screen.getByLabelText('Files with inventories'), file);
  const field = screen.getByLabelText<HTMLTextAreaElement>('Output of the machine’s tools');
  await waitFor(() => expect(field.value).toBe('KB5012170'));
  await person.click(screen.getByRole('button', { name: 'Clear' }));
  expect(field.value).toBe('');
  for (const storage of [localStorage, sessionStorage])
    for (let at = 0; at < storage.length; at += 1)
      expect(storage.getItem(storage.key(at) ?? '')).not.toContain('KB5012170');
});

it('checks a sample machine that the synced sources can judge', async () => {
  addReplies(reply(assessmentEndpoint, answer), machineChecked);
  await open('debian');
  await person.click(await screen.findByRole('button', { name: 'Check a sample: Debian 12' }));
  expect(await screen.findByRole('heading', { name: /^At least 1 patch missing/ })).toBeTruthy();
  expect(JSON.stringify(bodiesSentTo(assessmentEndpoint))).toContain('VERSION_CODENAME=bookworm');
});

it('offers no sample while nothing is synced', async () => {
  await open();
  expect(await screen.findByRole('button', { name: 'Check' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: /sample/ })).toBeNull();
});
