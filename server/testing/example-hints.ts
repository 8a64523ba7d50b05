/** Values by field name that satisfy rules beyond the schema's shape, so that an example reaches its call's handler. */
import { getField } from '@patch/catalogue/definition/list-definition.ts';
import { type CatalogueList, catalogueLists } from '@patch/catalogue/lists.ts';
import type { Endpoint } from '@patch/contract/base/endpoint.ts';
import type { Hints } from './example-input.ts';
import { password } from './factories.ts';

const day = 24 * 3_600_000;

/** Pairs of fields of which a body has one; each gets its own example. */
export const alternatives: readonly (readonly [string, string])[] = [
  ['otp', 'passkey'],
  ['text', 'files'],
  ['keyword', 'q'],
  ['machines', 'criteria'],
];

/** @param now - Epoch milliseconds. */
export function buildHints({ name, path }: Endpoint, now: number): Hints {
  const list = catalogueLists.find(
    ({ searchPath }) =>
      path === searchPath ||
      ['updates', 'grouped', 'relaxed', 'reading', 'summary'].some(
        (call) => path === `${searchPath}/${call}`,
      ),
  );
  return {
    ...buildFieldHints(now),
    ...(list !== undefined && buildSearchHints(list)),
    ...(name === 'users' && { sort: 'name' }),
    ...(/^(create|change)_user$/.test(name) && { machineGroups: null }),
    ...(name === 'create_api_key' && { scopes: ['report'] }),
    ...(name === 'save_source_settings' && { added: '11', leftOut: '8' }),
    ...(name === 'run_changes' && { kind: 'added' }),
    ...(/machine_group$|^tag_machines$|^create_machine_plan$/.test(name) && {
      criteria: 'name.contains.a',
      machines: 1,
      choice: 'records',
    }),
    ...(name === 'machines_report' && { days: '7' }),
    ...(name.endsWith('_report_mail') && {
      group: null,
      days: 7,
      addresses: ['manager@example.org'],
    }),
    ...(/^(change|create)_ring$/.test(name) && { follows: null, groups: [] }),
    ...(/^change_(ring|checkpoint_rule)$/.test(name) && { name: 'Renamed' }),
    ...(name === 'decide_for_ring' && { list: 'almalinux_patch', name: 'ID-1' }),
    ...(name === 'accept_missing' && { scope: 'group' }),
    ...(name === 'tag_machines' && { add: ['added'], remove: ['removed'] }),
    ...(name === 'schedule_plan_task' && { from: 1, until: 2 }),
    // The filter expects times.
    ...(name === 'audit' && { from: '1', to: '2' }),
  };
}

function buildSearchHints(list: CatalogueList): Hints {
  const words = list.searchable.find((field) => getField(list, field).kind === 'text') ?? 'id';
  return {
    sort: words,
    filter: `lower(${list.filterName[words] ?? words}) like '%a%'`,
    facets: list.facets[0],
    field: list.facets.find((field) => getField(list, field).kind === 'date'),
  };
}

const reportedText = {
  key: 'srv-1',
  name: 'srv-1',
  text: 'ID=almalinux\nVERSION_ID=9.4\nbash-5.1.8-9.el9.x86_64',
};

const reportedPackages = {
  key: 'srv-2',
  name: 'srv-2',
  platform: 'linux',
  distribution: 'almalinux',
  release: '9.4',
  architecture: 'x86_64',
  kernel: '5.14.0-427.el9.x86_64',
  build: '1',
  packages: [
    {
      format: 'rpm',
      name: 'perl',
      version: '5.32.1-481.el9',
      epoch: '4',
      architecture: 'x86_64',
      module: { name: 'perl', stream: '5.32' },
      source: { name: 'perl', version: '5.32.1' },
    },
  ],
  kbs: ['KB5034441'],
  applications: [{ name: 'Git', identifier: 'Git.Git', version: '2.44.0' }],
};

const buildFieldHints = (now: number): Hints => ({
  username: 'Operator',
  password,
  oldPassword: password,
  newPassword: 'Another-Horse-8',
  otp: '000000',
  email: 'someone@example.org',
  contactEmail: 'it@north.example',
  replyToEmail: 'help@example.org',
  toEmailId: 'ops@example.org',
  furtherAddresses: 'ops@example.org',
  cve: 'CVE-2024-3094',
  timezone: 'Europe/Istanbul',
  timeZone: 'Europe/Istanbul',
  baseUrl: 'https://patch.example.org',
  feedMirror: 'https://mirror.example.org',
  mirror: 'https://mirror.example.org',
  // No mail server listens on this port.
  server: '127.0.0.1',
  port: 25,
  issuer: 'http://127.0.0.1:9',
  scopes: 'openid',
  allowedDomains: 'example.org',
  list: 'almalinux_patch',
  moduleName: 'almalinux_patch',
  columns: 'title',
  sort: 'title',
  filter: "lower(title) like '%a%'",
  criteria: 'title.contains.a',
  cron: '15 3 * * *',
  schedule: '15 3 * * *',
  service: 'almaLinux',
  licenseType: 'subscription',
  licenseExpiry: now + 300 * day,
  expiresAt: now + day,
  epssAbove: 0.5,
  until: now + day,
  machines: [reportedText, reportedPackages],
  sessionIdleMinutes: 30,
});
