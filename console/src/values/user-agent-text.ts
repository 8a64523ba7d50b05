/** Describes a user agent: 'Firefox on Linux'. Returns the first 60 characters of an unknown one. */

const programs: readonly (readonly [RegExp, string])[] = [
  // Each user agent also contains the names of those below it.
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
  const findName = (known: typeof programs) =>
    known.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [program, system] = [findName(programs), findName(systems)];
  if (program === undefined) return userAgent === '' ? 'Unknown program' : userAgent.slice(0, 60);
  return system === undefined ? program : `${program} on ${system}`;
}
