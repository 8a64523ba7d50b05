/** Checks that the commits since the one named here are Conventional Commits with subjects of at most 72 characters. Skips, with a message, without a history. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import conventional from '@commitlint/config-conventional';
import lint from '@commitlint/lint';
import { type QualifiedRules, RuleConfigSeverity } from '@commitlint/types';

/** The rule began with this commit. */
const since = '1b98b5f31eee2a2782cd81aa187339deeffc75ac';

const { Disabled, Error: Refused } = RuleConfigSeverity;
const rules: QualifiedRules = {
  ...conventional.rules,
  // Git cuts longer subjects in its own lists.
  'header-max-length': [Refused, 'always', 72],
  'body-max-line-length': [Disabled],
  'footer-max-line-length': [Disabled],
};
const parserOpts = {
  headerPattern: /^(\w*)(?:\(([\w-]+)\))?!?: (.*)$/,
  headerCorrespondence: ['type', 'scope', 'subject'],
};

const { status, stdout } = spawnSync(
  'git',
  ['log', '--no-merges', '--format=%h%x1f%B%x1e', `${since}..HEAD`],
  { cwd: join(import.meta.dirname, '..'), encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
);
if (status !== 0) {
  process.stdout.write(`commits: skipped, this checkout has no commit ${since.slice(0, 9)}\n`);
  process.exit(0);
}
const commits = stdout
  .split('\u001e')
  .flatMap((entry) => (entry.trim() === '' ? [] : [entry.trim()]));
let problems = 0;
for (const commit of commits) {
  const [hash = '', message = ''] = commit.split('\u001f');
  for (const { message: problem } of (await lint(message, rules, { parserOpts })).errors) {
    process.stdout.write(`${hash} ${message.split('\n')[0]}: ${problem}\n`);
    problems += 1;
  }
}
process.stdout.write(`commits: ${commits.length} read, ${problems} complaints\n`);
process.exit(problems > 0 ? 1 : 0);
