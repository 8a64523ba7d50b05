/** Reads the product in a name of the guide or a title of Windows Update in comparable words, because each has its own spellings. */

export interface ComparableProduct {
  /** 'Windows 10 22H2', 'Server 2012 R2', 'Server 23H2'; null when no Windows is named. */
  readonly system: string | null;
  /** '3.5' and '4.8' for '.NET Framework 3.5 AND 4.8'; empty for other products. */
  readonly frameworks: readonly string[];
  /** All other words: 'office excel 2016', 'exchange server 2016 cu23'. */
  readonly words: string;
}

export function parseProductName(name: string): ComparableProduct {
  return {
    system: parseSystem(name),
    frameworks: parseFrameworks(name),
    words: normaliseWords(name),
  };
}

/** Windows Update names newer servers by the version of Windows that they share. */
const serversByVersion: Readonly<Record<string, string>> = {
  '21H2': 'Server 2022',
  '24H2': 'Server 2025',
};
/** The first release of each is named with or without its version. */
const firstVersions: Readonly<Record<string, string>> = { '10': '1507', '11': '21H2' };

function parseSystem(name: string): string | null {
  const version =
    /\b(?:server operating system|Windows Server),? (?:2022, )?(?:version (\w+)|(\d\dH\d))/i.exec(
      name,
    );
  const server = (
    version?.[1] ??
    version?.[2] ??
    /\bAzure Stack HCI OS (\w+)/i.exec(name)?.[1]
  )?.toUpperCase();
  if (server !== undefined) return serversByVersion[server] ?? `Server ${server}`;
  const year = /\bWindows Server (\d{4}(?: R2)?)/i.exec(name)?.[1]?.toUpperCase();
  if (year !== undefined) return `Server ${year}`;
  const client = /\bWindows (10|11|8\.1|8|7|Vista|RT 8\.1|RT)(?![\w.])(?:,? Version (\w+))?/i.exec(
    name,
  );
  if (client === null) return null;
  const [, release = '', written] = client;
  const clientVersion = written?.toUpperCase() ?? firstVersions[release];
  return clientVersion === undefined ? `Windows ${release}` : `Windows ${release} ${clientVersion}`;
}

/** Reads '.NET Framework 3.5, 4.8 and 4.8.1 for Windows 10 …' and '.NET Framework 4.6/4.6.1 on Windows 8.1'. */
function parseFrameworks(name: string): string[] {
  const versions = /\.NET Framework (.+?)(?: (?:for|on) |$)/i.exec(name)?.[1] ?? '';
  return [...new Set(versions.match(/\d+(?:\.\d+)+/g))];
}

/** Removes words that are compared separately: architecture, edition, KB, publisher. */
function normaliseWords(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/\((?:kb\d+|(?:32|64)-bit editions?)\)|\b(?:32|64)-bit editions?\b/g, ' ')
    .replaceAll(/ for (?:x64|x86|arm64|32-bit|64-bit|itanium)\S* (?:systems|editions?)/g, ' ')
    .replaceAll(/\bcumulative update (\d+)\b/g, 'cu$1')
    .replaceAll(/\bcu (\d+)\b/g, 'cu$1')
    .replaceAll(/\bmicrosoft\b|[^\w.]+/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim();
}
