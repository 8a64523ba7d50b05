/** Reads the facts that a product's name states. */

/** The product as one word: 'windows-10-version-1607-for-x64-based-systems'. */
export function productParameter(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
}

const architectures: readonly (readonly [string, RegExp])[] = [
  ['ARM64', /\bARM64\b|\bfor ARM systems\b/i],
  ['Itanium', /\bItanium\b/i],
  ['x64', /\bx64\b|\b64-bit\b/i],
  ['x86', /\bx86\b|\b32-bit\b/i],
];

/** Only what the name says: the guide names none for most servers. */
export function architecturesOf(name: string): string[] {
  return architectures
    .filter(([, words]) => words.test(name))
    .map(([architecture]) => architecture);
}

/** Its packages are no KBs, and they outnumber everything else. */
export function isAzureLinux(name: string, family: string | null): boolean {
  return (
    family === 'Mariner' ||
    family === 'Open Source Software' ||
    /\b(CBL.Mariner|Azure Linux)\b/i.test(name)
  );
}

/** Windows itself, not what Microsoft sells beside it under the same family: Exchange is in ESU too. */
export function isWindows(name: string, family: string | null): boolean {
  return (
    /^Windows (\d|RT|Server|Vista|XP)/i.test(name) &&
    (family === null || family === 'Windows' || family === 'ESU')
  );
}
