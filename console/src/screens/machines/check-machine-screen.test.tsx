import { type Assessment, assessmentEndpoint } from '@patch/contract/assessment-endpoint.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { addReplies, refuse, reply, sentCalls } from '../../testing/fake-api.ts';
import { fillIn, person } from '../../testing/person.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { CheckMachineScreen } from './check-machine-screen.tsx';

const answer: Assessment = {
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
    endOfLife: null,
  },
  understood: [{ format: 'rpm', lines: 2 }],
  unreadable: [{ line: 3, text: 'lorem', reason: 'No known format of an inventory' }],
  unreadableLines: 1,
  advice: [
    { kind: 'noKernel', text: 'The text does not name the running kernel.', command: 'uname -r' },
  ],
  missing: [
    {
      list: 'almalinux_patch',
      recordId: 7,
      identifier: 'ALSA-2024:2',
      title: 'bash update',
      severity: 'Critical',
      exploited: true,
      cvss: 9.8,
      epss: 0.5,
      releaseDate: 1,
      state: 'missing',
      reason: null,
      evidence: [{ name: 'bash', installed: '4.4.20-4.el8', fixed: '4.4.20-6.el8' }],
      supersededBy: [],
    },
  ],
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
  notJudged: [],
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
  sources: [{ service: 'almaLinux', label: 'AlmaLinux', lastSuccessAt: null }],
};

const nothing: Assessment = {
  ...answer,
  advice: [],
  missing: [],
  install: [],
  installCommand: null,
  counts: { ...answer.counts, critical: 0, exploited: 0 },
};

async function check(given: Assessment) {
  addReplies(reply(assessmentEndpoint, given));
  await renderInApp(<CheckMachineScreen />);
  await fillIn(await screen.findByLabelText('What the machine’s tools print'), 'bash-4.4.20-4.el8');
  await person.click(screen.getByRole('button', { name: 'Check' }));
}

it('shows what is missing with its evidence, and the command that closes it', async () => {
  await check(answer);
  expect(await screen.findByRole('heading', { name: '1 record missing' })).toBeTruthy();
  expect(screen.getByText('1 known exploited, 1 critical')).toBeTruthy();
  expect(screen.getByText(/^AlmaLinux 8/)).toBeTruthy();
  const row = within(screen.getByRole('table')).getByRole('row', { name: /ALSA-2024:2/ });
  expect(row.textContent).toContain('bash 4.4.20-4.el8 → 4.4.20-6.el8');
  expect(within(row).getByRole('link').getAttribute('href')).toBe(
    '/patch-repository/almalinux-patch/record/7',
  );
  const install = screen.getByRole('region', { name: 'What to install' });
  expect(within(install).getByText('dnf upgrade --advisory=ALSA-2024:2')).toBeTruthy();
  expect(install.textContent).toContain('Reboot');
  expect(screen.getByText('The text does not name the running kernel.')).toBeTruthy();
  expect(sentCalls().at(-1)?.body).toEqual({ text: 'bash-4.4.20-4.el8' });
});

it('never says that nothing is missing where the release was not judged', async () => {
  await check({ ...nothing, notJudged: [{ reason: 'releaseNotInCatalogue', count: 2 }] });
  expect(await screen.findByRole('heading', { name: 'Not judged' })).toBeTruthy();
  expect(screen.getByText(/no records of the machine’s release/)).toBeTruthy();
  expect(screen.queryByText(/Nothing is missing/)).toBeNull();
});

it('says first that the vendor has ended its support', async () => {
  await check({ ...nothing, machine: { ...answer.machine, endOfLife: Date.UTC(2024, 5, 30) } });
  expect(
    await screen.findByRole('heading', { name: 'No longer supported by its vendor' }),
  ).toBeTruthy();
  expect(screen.getByText(/ended its support on/)).toBeTruthy();
});

it('says before what is missing that the vendor has ended its support', async () => {
  await check({ ...answer, machine: { ...answer.machine, endOfLife: Date.UTC(2024, 5, 30) } });
  const result = await screen.findByRole('region', { name: 'Result' });
  const words = result.textContent ?? '';
  expect(words.indexOf('ended its support')).toBeGreaterThan(0);
  expect(words.indexOf('ended its support')).toBeLessThan(words.indexOf('1 record missing'));
});

it('lists apart what has no fix, by package', async () => {
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
  expect(screen.getByRole('heading', { name: '1 record missing' })).toBeTruthy();
});

it('says in the words of the server why a text is refused, and keeps the text', async () => {
  addReplies(refuse(assessmentEndpoint, 422, { userMessage: 'The inventory is empty.' }));
  await renderInApp(<CheckMachineScreen />);
  const field = await screen.findByLabelText('What the machine’s tools print');
  await fillIn(field, 'x');
  await person.click(screen.getByRole('button', { name: 'Check' }));
  expect((await screen.findByRole('alert')).textContent).toBe('The inventory is empty.');
  expect((field as HTMLTextAreaElement).value).toBe('x');
});

it('reads files in any encoding, and forgets everything when it is cleared', async () => {
  await renderInApp(<CheckMachineScreen />);
  const bytes = new Uint8Array(Buffer.from('\uFEFFKB5012170', 'utf16le'));
  const file = new File([bytes], 'systeminfo.txt', { type: 'text/plain' });
  await person.upload(screen.getByLabelText('Files with inventories'), file);
  const field = screen.getByLabelText<HTMLTextAreaElement>('What the machine’s tools print');
  await waitFor(() => expect(field.value).toBe('KB5012170'));
  await person.click(screen.getByRole('button', { name: 'Clear' }));
  expect(field.value).toBe('');
  for (const storage of [localStorage, sessionStorage])
    for (let at = 0; at < storage.length; at += 1)
      expect(storage.getItem(storage.key(at) ?? '')).not.toContain('KB5012170');
});
