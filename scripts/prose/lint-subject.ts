/** Whether a commit message is a Conventional Commit with a subject of at most 72 characters. */
import conventional from '@commitlint/config-conventional';
import lint from '@commitlint/lint';
import { type QualifiedRules, RuleConfigSeverity } from '@commitlint/types';

/** Git cuts longer subjects in its own lists. */
const subjectLength = 72;

const { Disabled, Error: Refused } = RuleConfigSeverity;
const rules: QualifiedRules = {
  ...conventional.rules,
  'header-max-length': [Refused, 'always', subjectLength],
  // Bodies are wrapped where they are shown.
  'body-max-line-length': [Disabled],
  'footer-max-line-length': [Disabled],
};

/** `type(scope)!: subject`, of which scope and exclamation mark may be absent. */
const parserOpts = {
  headerPattern: /^(\w*)(?:\(([\w-]+)\))?!?: (.*)$/,
  headerCorrespondence: ['type', 'scope', 'subject'],
};

/** What is wrong with it; empty when it is as it should be. */
export async function subjectProblems(message: string): Promise<readonly string[]> {
  const { errors } = await lint(message, rules, { parserOpts });
  return errors.map((error) => error.message);
}
