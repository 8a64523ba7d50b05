/** What a program calls itself, as a person would say it: 'Firefox on Linux'. What is not known stays as it came. */

const programs: readonly (readonly [RegExp, string])[] = [
  // Each of them names those below it as well.
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
];

export function userAgentText(userAgent: string): string {
  const named = (known: typeof programs) => known.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [program, system] = [named(programs), named(systems)];
  if (program === undefined) return userAgent === '' ? 'Unknown program' : userAgent.slice(0, 60);
  return system === undefined ? program : `${program} on ${system}`;
}
