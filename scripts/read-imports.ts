/** Reads the imports of the product's source files, and holds them against the rules of laws.ts. */
import { join, relative } from 'node:path';
import { cruise, type IReporterOutput } from 'dependency-cruiser';
import { z } from 'zod';
import { laws } from './laws.ts';
import { sourceFiles } from './source-files.ts';

const root = join(import.meta.dirname, '..');

const Result = z.object({
  modules: z.array(
    z.object({
      source: z.string(),
      dependencies: z.array(z.object({ resolved: z.string(), couldNotResolve: z.boolean() })),
    }),
  ),
  summary: z.object({
    violations: z.array(
      z.object({ from: z.string(), to: z.string(), rule: z.object({ name: z.string() }) }),
    ),
  }),
});

export interface ReadImports {
  /** Type-only imports included; paths are relative to the root. */
  readonly imports: readonly { readonly from: string; readonly to: string }[];
  /** The number of modules that were read, packages included. */
  readonly modules: number;
  readonly violations: readonly {
    readonly from: string;
    readonly to: string;
    readonly rule: string;
  }[];
  /** Source files of the product that the reader did not see. Not empty means that the reader is broken. */
  readonly unread: readonly string[];
  readonly files: readonly string[];
}

const parts = ['catalogue', 'contract', 'server', 'console/src', 'client'];

export async function readImports(): Promise<ReadImports> {
  const { output }: IReporterOutput = await cruise(
    parts,
    {
      baseDir: root,
      validate: true,
      ruleSet: {
        forbidden: laws.map(({ reason, ...rule }) => ({
          ...rule,
          comment: reason,
          severity: 'error' as const,
        })),
      },
      parser: 'swc',
      tsPreCompilationDeps: true,
      doNotFollow: { path: 'node_modules' },
      exclude: { path: '(^|/)(node_modules|dist|fixtures)/' },
      outputType: 'json',
    },
    {},
  );
  const { modules, summary } = Result.parse(
    typeof output === 'string' ? JSON.parse(output) : output,
  );
  const read = new Set(modules.map(({ source }) => relative(root, join(root, source))));
  const files = sourceFiles().filter((file) => parts.some((part) => file.startsWith(`${part}/`)));
  return {
    imports: modules.flatMap(({ source, dependencies }) =>
      dependencies.map(({ resolved }) => ({ from: source, to: resolved })),
    ),
    modules: modules.length,
    violations: summary.violations.map(({ from, to, rule }) => ({ from, to, rule: rule.name })),
    unread: files.filter((file) => !read.has(file)),
    files,
  };
}
