/** Which update that Windows Update offers is a KB for a product of the security update guide: both name systems in their own way. */

export interface KbOfProduct {
  readonly productName: string;
  readonly architecture: readonly string[];
}

export interface OfferedForKb {
  readonly title: string;
  readonly architecture: readonly string[];
}

/** Among the updates of one KB the one for that product; null when none is or several could be: no file is better than a wrong one. */
export function updateOfKb<Update>(
  { productName, architecture }: KbOfProduct,
  updates: readonly Update[],
  factsOf: (update: Update) => OfferedForKb,
): Update | null {
  const system = systemIn(productName);
  // The guide names the architecture of a server only where it is not the usual one.
  const architectures = architecture.length === 0 && system?.startsWith('Server') === true ? ['x64'] : architecture;
  const fitting = updates.filter((update) => {
    const { title, architecture: offered } = factsOf(update);
    if (!fits(architectures, offered)) return false;
    return system === null ? title.toLowerCase().includes(withoutEdition(productName)) : systemIn(title) === system;
  });
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}

/** What is not said fits all. */
function fits(one: readonly string[], other: readonly string[]): boolean {
  return one.length === 0 || other.length === 0 || one.some((architecture) => other.includes(architecture));
}

/** Windows Update calls the newer servers by the version of Windows that they share. */
const serversByVersion: Readonly<Record<string, string>> = { '21H2': 'Server 2022', '24H2': 'Server 2025' };

/** 'Windows 10 22H2', 'Windows 8.1', 'Server 2012 R2', 'Server 23H2'; null for what is no Windows. */
function systemIn(name: string): string | null {
  const version = /\b(?:server operating system|Windows Server),? (?:2022, )?(?:version (\w+)|(\d\dH\d))/i.exec(name);
  const server = (version?.[1] ?? version?.[2])?.toUpperCase();
  if (server !== undefined) return serversByVersion[server] ?? `Server ${server}`;
  const year = /\bWindows Server (\d{4}(?: R2)?)/i.exec(name)?.[1]?.toUpperCase();
  if (year !== undefined) return `Server ${year}`;
  const client = /\bWindows (10|11|8\.1|8|7|Vista|RT 8\.1|RT)(?![\w.])(?: Version (\w+))?/i.exec(name);
  if (client === null) return null;
  return client[2] === undefined ? `Windows ${client[1]}` : `Windows ${client[1]} ${client[2].toUpperCase()}`;
}

/** 'microsoft excel 2016' of 'Microsoft Excel 2016 (32-bit edition)': the architecture is compared apart. */
function withoutEdition(product: string): string {
  return product
    .toLowerCase()
    .replaceAll(/ *\([^)]*\)/g, '')
    .replace(/ for (?:x64|x86|arm64|32-bit|64-bit|itanium)\S* (?:systems|editions?)/, '')
    .trim();
}
