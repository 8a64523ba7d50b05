/** Reads texts with textlint and answers where a term of the word list stands. */
import { TextlintKernel, type TextlintKernelOptions } from '@textlint/kernel';
import markdownPlugin from '@textlint/textlint-plugin-markdown';
import textPlugin from '@textlint/textlint-plugin-text';
import terminology from 'textlint-rule-terminology';
import { terms } from './terms.ts';

export interface ProseProblem {
  readonly line: number;
  /** What stands there, and what to write instead. */
  readonly message: string;
}

const kernel = new TextlintKernel();

/** `name` says how the text is read: Markdown without its code, anything else line by line, strings and comments of programs included. */
export async function lintProse(name: string, text: string): Promise<readonly ProseProblem[]> {
  const options: TextlintKernelOptions = {
    ext: name.endsWith('.md') ? '.md' : '.txt',
    filePath: name,
    plugins: [
      { pluginId: 'markdown', plugin: markdownPlugin.default },
      { pluginId: 'text', plugin: textPlugin.default },
    ],
    rules: [{ ruleId: 'terminology', rule: terminology, options: { defaultTerms: false, terms: terms.map((term) => [...term]) } }],
  };
  const { messages } = await kernel.lintText(text, options);
  return messages.map(({ loc, message }) => ({ line: loc.start.line, message }));
}
