/** Reads facts from a product's name. */

/** Returns the product as one word: 'windows-10-version-1607-for-x64-based-systems'. */
export function toProductParameter(name: string): string {
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

/** Reads only the name: the guide states none for most servers. */
export function parseArchitectures(name: string): string[] {
  return architectures
    .filter(([, words]) => words.test(name))
    .map(([architecture]) => architecture);
}

/** Azure Linux's packages are not KBs, and they outnumber all others. */
export function isAzureLinux(name: string, family: string | null): boolean {
  return (
    family === 'Mariner' ||
    family === 'Open Source Software' ||
    /\b(CBL.Mariner|Azure Linux)\b/i.test(name)
  );
}

/** Excludes products that Microsoft sells under the same family: Exchange is also in ESU. */
export function isWindows(name: string, family: string | null): boolean {
  return (
    /^Windows (\d|RT|Server|Vista|XP)/i.test(name) &&
    (family === null || family === 'Windows' || family === 'ESU')
  );
}
