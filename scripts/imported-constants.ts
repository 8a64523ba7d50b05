/** Which files of the repository a file imports, and which literal constants it takes from them: what a test must not expect of the product. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { type ImportDeclaration, parseSync } from '@swc/core';

/** Paths relative to the root, packages left out. */
export function importsOf(root: string, file: string): readonly string[] {
  return declarationsOf(root, file).map(({ path }) => path);
}

/** Names that `file` imports from files of the repository below `folder`. */
export function namesFrom(root: string, file: string, folder: string): readonly string[] {
  return declarationsOf(root, file)
    .filter(({ path }) => path.startsWith(`${folder}/`))
    .flatMap(({ names }) => names);
}

/** Names of figures, texts and lists of them that `file` imports; what stands below a `testing/` folder belongs to the tests. */
export function literalConstantsOf(root: string, file: string): readonly string[] {
  return declarationsOf(root, file)
    .filter(({ path }) => !path.includes('testing/') && existsSync(join(root, path)))
    .flatMap(({ path, names }) => {
      // All of them: durations, sizes, colours.
      if (path.endsWith('/theme/tokens.ts')) return names;
      const text = readFileSync(join(root, path), 'utf8');
      return names.filter((name) =>
        new RegExp(
          String.raw`^export const ${name}(: [^=]+)? = ${literal}( as const)?;$`,
          'm',
        ).test(text),
      );
    });
}

const single = String.raw`(-?[\d_.]+|'[^'\n]*'|"[^"\n]*")`;
/** Lists of words are what a test of keys is about; lists of figures are sizes. */
const literal = String.raw`(${single}|\[[-\d_., ]+\])`;

function declarationsOf(
  root: string,
  file: string,
): readonly { readonly path: string; readonly names: readonly string[] }[] {
  const { body } = parseSync(readFileSync(join(root, file), 'utf8'), {
    syntax: 'typescript',
    tsx: file.endsWith('x'),
  });
  return body
    .filter(
      (item): item is ImportDeclaration => item.type === 'ImportDeclaration' && !item.typeOnly,
    )
    .flatMap(({ source: { value }, specifiers }) => {
      const path = value.startsWith('@patch/')
        ? value.slice('@patch/'.length)
        : normalize(join(dirname(file), value));
      if (!value.startsWith('@patch/') && !value.startsWith('.')) return [];
      const named = specifiers.flatMap((one) =>
        one.type === 'ImportSpecifier' && !one.isTypeOnly ? [one.imported ?? one.local] : [],
      );
      return [{ path, names: named.map((name) => name.value) }];
    });
}
