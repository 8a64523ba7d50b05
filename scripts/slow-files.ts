/** Test files that may take over ten seconds, each with the reason. The report of a run names the others. */
export const slowFiles: Readonly<Record<string, string>> = {
  'server/service/odd-input.test.ts': 'sends odd values into the inputs of all calls',
  'server/operations/backup/dump-restore.test.ts': 'restores whole dumps, also with psql',
  'server/operations/backup/changed-dump.test.ts': 'restores a dump for each kind of damage',
  'server/service/main.test.ts': 'starts the service as a process',
  'server/operations/backup/commands.test.ts': 'runs the commands as processes',
  'server/platform/postgres/embedded-postgres.test.ts': 'starts and kills servers',
  'catalogue/mirror-records.test.ts':
    'compares one part of each vendor of the mirror, field by field',
  'server/records/search/random-searches.test.ts':
    'a thousand searches against an independent oracle',
};
