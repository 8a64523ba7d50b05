/** Reads texts with textlint and answers where a term of the word list stands. */
import { createRequire } from 'node:module';
import { TextlintKernel, type TextlintKernelOptions } from '@textlint/kernel';
import type { TextlintPluginCreator } from '@textlint/types';
import terminology from 'textlint-rule-terminology';
import { terms } from './terms.ts';

export interface ProseProblem {
  readonly line: number;
  /** What stands there, and what to write instead. */
  readonly message: string;
}

// CommonJS modules, whose default export each loader hands on in another way.
const require = createRequire(import.meta.url);
const { default: markdown } = require('@textlint/textlint-plugin-markdown') as {
  readonly default: TextlintPluginCreator;
};
const { default: plainText } = require('@textlint/textlint-plugin-text') as {
  readonly default: TextlintPluginCreator;
};
const plugins = [
  { pluginId: 'markdown', plugin: markdown },
  { pluginId: 'text', plugin: plainText },
];

const kernel = new TextlintKernel();

/** `name` says how the text is read: Markdown without its code, anything else line by line, strings and comments of programs included. */
export async function lintProse(name: string, text: string): Promise<readonly ProseProblem[]> {
  const options: TextlintKernelOptions = {
    ext: name.endsWith('.md') ? '.md' : '.txt',
    filePath: name,
    plugins,
    rules: [
      {
        ruleId: 'terminology',
        rule: terminology,
        options: { defaultTerms: false, terms: terms.map((term) => [...term]) },
      },
    ],
  };
  const { messages } = await kernel.lintText(text, options);
  return messages.map(({ loc, message }) => ({ line: loc.start.line, message }));
}
