/** Test files that may take over ten seconds, each with the reason. The report of a run names the others. */
export const slowFiles: Readonly<Record<string, string>> = {
  'server/service/odd-input.test.ts': 'sends odd values into the inputs of all calls',
  'server/operations/backup/dump-restore.test.ts': 'restores whole dumps, also with psql',
  'server/operations/backup/changed-dump.test.ts': 'restores a dump for each kind of damage',
  'server/service/main.test.ts': 'starts the service as a process',
  'server/operations/backup/commands.test.ts': 'runs the commands as processes',
  'server/platform/postgres/embedded-postgres.test.ts': 'starts and kills servers',
  'server/platform/postgres/server-guard.test.ts': 'kills services and waits for their servers',
  'server/platform/files/foreign-files.test.ts': 'starts the service as several accounts',
  'server/operations/backup/lost-database.test.ts': 'runs each command as a process',
  'server/service/database-outage.test.ts': 'kills the database under every call',
  'catalogue/mirror-records.test.ts':
    'compares one part of each vendor of the mirror, field by field',
  'catalogue/parsers/bombs.test.ts': 'unpacks archives up to their limits',
  'console/src/list/list-screen.test.tsx': 'types and clicks through a complete list screen',
  'console/src/list/list-screen-preferences.test.tsx':
    'opens a complete list screen again after each change of a preference',
  'console/src/screens/sync/settings-drawer.test.tsx': 'fills every setting of a source',
  'console/src/screens/users/users-screen.test.tsx': 'fills the forms of an account',
  'server/records/search/random-searches.test.ts':
    'a thousand searches against an independent oracle',
  'server/records/memory/refreshed-memory.test.ts':
    'compares every column and condition of every list after each change',
  'server/ingest/sync/start-sync.test.ts': 'starts threads and exhausts the memory of one',
  'server/ingest/sync/fresh-equals-upgraded.test.ts':
    'syncs each format twice, from nothing and from a former state',
  'server/fleet/intake/start-intake.test.ts': 'starts and ends threads',
  'server/service/killed-service.test.ts': 'kills the service while it writes',
  'client/killed-client.test.ts': 'kills clients while they write',
  'e2e/every-screen.e2e.ts': 'inspects each screen in two looks and four widths',
  'e2e/every-list.e2e.ts': 'inspects each list in two looks and four widths',
  'e2e/administration.e2e.ts': 'walks through mails, second factors and settings',
  'e2e/first-sync.e2e.ts': 'syncs the mirror into an empty product',
  'e2e/facets.e2e.ts': 'walks through facets and histograms of several lists',
  'e2e/passkey.e2e.ts': 'makes and uses passkeys with an authenticator of the browser',
  'e2e/date-picker.e2e.ts': 'walks through dates with pointer and keyboard',
  'e2e/machines-of-clients.e2e.ts': 'reports machines and waits for their judgement',
  'e2e/answers.e2e.ts': 'answers the first questions of administrators in counted steps',
  'e2e/focus-and-layout.e2e.ts': 'follows the focus through dialogs and drawers',
  'e2e/first-minute.e2e.ts': 'starts an empty product and syncs one family',
  'e2e/find-a-patch.e2e.ts': 'finds errata, opens one and syncs again',
  'e2e/long-list.e2e.ts': 'scrolls through a list of 1,000 loaded rows',
};
