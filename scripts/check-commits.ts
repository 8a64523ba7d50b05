/** Whether the commits since the one named here have subjects as CONTRIBUTING.md says. Passed over, with a message, where there is no history. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { subjectProblems } from './prose/lint-subject.ts';

/** Earlier commits were made before there was a rule. */
const since = '1b98b5f31eee2a2782cd81aa187339deeffc75ac';

const root = join(import.meta.dirname, '..');
const separator = '\u001e';
const { status, stdout } = spawnSync(
  'git',
  ['log', '--no-merges', `--format=%h%x1f%B%x1e`, `${since}..HEAD`],
  {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  },
);
if (status !== 0) {
  process.stdout.write(
    `commits: passed over, because the commit ${since.slice(0, 9)} is not in the history of this checkout\n`,
  );
  process.exit(0);
}
const commits = stdout
  .split(separator)
  .map((entry) => entry.trim())
  .filter((entry) => entry !== '');
let problems = 0;
for (const commit of commits) {
  const [hash = '', message = ''] = commit.split('\u001f');
  for (const problem of await subjectProblems(message)) {
    process.stdout.write(`${hash} ${message.split('\n')[0]}: ${problem}\n`);
    problems += 1;
  }
}
process.stdout.write(`commits: ${commits.length} read, ${problems} complaints\n`);
process.exit(problems > 0 ? 1 : 0);
