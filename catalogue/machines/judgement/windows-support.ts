/**
 * The days on which Microsoft stopped servicing a release of Windows for everyone, from its lifecycle pages, and the updates that it
 * publishes for subscribers of Extended Security Updates only.
 */
import type { InventoryAdvice } from '../inventory/inventory-advice.ts';
import type { Machine } from '../machine.ts';
import type { RecordVerdict, WindowsUpdate } from './machine-fixes.ts';
import { revisionOn, windowsBuild } from './windows-builds.ts';
import { productOfMachine } from './windows-products.ts';

/** Home and Pro end before other editions; a long-term servicing release has its own end. Null when unknown. */
interface Ends {
  readonly homeAndPro: string | null;
  readonly others: string | null;
  readonly longTerm: string | null;
}

const client = (homeAndPro: string, others: string, longTerm: string | null = null): Ends => ({
  homeAndPro,
  others,
  longTerm,
});
const everyEdition = (day: string): Ends => ({ homeAndPro: day, others: day, longTerm: day });

/** By product without its architecture, in the form of productOfMachine. */
const ends: Readonly<Record<string, Ends>> = {
  'windows 7': everyEdition('2020-01-14'),
  'windows 8': everyEdition('2016-01-12'),
  'windows 8.1': everyEdition('2023-01-10'),
  'windows 10': client('2017-05-09', '2017-05-09', '2025-10-14'),
  'windows 10 version 1511': client('2017-10-10', '2018-04-10'),
  'windows 10 version 1607': client('2018-04-10', '2019-04-09', '2026-10-13'),
  'windows 10 version 1703': client('2018-10-09', '2019-10-08'),
  'windows 10 version 1709': client('2019-04-09', '2020-10-13'),
  'windows 10 version 1803': client('2019-11-12', '2021-05-11'),
  'windows 10 version 1809': client('2020-11-10', '2021-05-11', '2029-01-09'),
  'windows 10 version 1903': client('2020-12-08', '2020-12-08'),
  'windows 10 version 1909': client('2021-05-11', '2022-05-10'),
  'windows 10 version 2004': client('2021-12-14', '2021-12-14'),
  'windows 10 version 20h2': client('2022-05-10', '2023-05-09'),
  'windows 10 version 21h1': client('2022-12-13', '2022-12-13'),
  'windows 10 version 21h2': client('2023-06-13', '2024-06-11', '2027-01-12'),
  'windows 10 version 22h2': client('2025-10-14', '2025-10-14'),
  'windows 11': client('2023-10-10', '2024-10-08'),
  'windows 11 version 22h2': client('2024-10-08', '2025-10-14'),
  'windows 11 version 23h2': client('2025-11-11', '2026-11-10'),
  'windows 11 version 24h2': client('2026-10-13', '2027-10-12', '2029-10-09'),
  'windows 11 version 25h2': client('2027-10-12', '2028-10-10'),
  'windows server 2008': everyEdition('2020-01-14'),
  'windows server 2008 r2': everyEdition('2020-01-14'),
  'windows server 2012': everyEdition('2023-10-10'),
  'windows server 2012 r2': everyEdition('2023-10-10'),
  'windows server 2016': everyEdition('2027-01-12'),
  'windows server 2019': everyEdition('2029-01-09'),
  'windows server 2022': everyEdition('2031-10-14'),
  'windows server 2022, 23h2 edition': everyEdition('2025-10-24'),
  'windows server, version 1709': everyEdition('2019-04-09'),
  'windows server, version 1803': everyEdition('2019-11-12'),
  'windows server, version 1903': everyEdition('2020-12-08'),
  'windows server, version 1909': everyEdition('2021-05-11'),
  'windows server, version 2004': everyEdition('2021-12-14'),
  'windows server, version 20h2': everyEdition('2022-08-09'),
};

/** Windows translates the names of its editions into French, Russian and Chinese; elsewhere they are English. */
const editions: readonly (readonly [keyof Ends, RegExp])[] = [
  ['longTerm', /\bLTS[BC]\b/i],
  // Pro for Workstations and Pro Education end with Pro.
  [
    'homeAndPro',
    /\b(?:Home|Pro|Professional|Famille|Professionnel)\b|Домашн|Профессиональн|家庭|家用|专业|專業/i,
  ],
  ['others', /Enterprise|Entreprise|ducation|Корпоративн|образовательн|企业|企業|教育/i],
];

const findEdition = ({ distribution }: Pick<Machine, 'distribution'>): keyof Ends | null =>
  editions.find(([, pattern]) => pattern.test(distribution ?? ''))?.[0] ?? null;

type MachineOfProduct = Pick<Machine, 'build' | 'distribution' | 'architecture'>;

function findEnds(machine: MachineOfProduct): Ends | null {
  const product = productOfMachine(machine)?.replace(/ \(\w+\)$/, '') ?? '';
  return Object.hasOwn(ends, product) ? (ends[product] ?? null) : null;
}

/** Returns the day as `2025-10-14`; null when unknown. An edition that its name does not show counts as the one that ends last. */
export const windowsEndOfSupport = (machine: MachineOfProduct): string | null =>
  findEnds(machine)?.[findEdition(machine) ?? 'others'] ?? null;

/** Says that support may have ended: that of Home and Pro has, that of other editions has not, and the name shows no edition. */
export function editionAdvice(machine: MachineOfProduct, now: number): readonly InventoryAdvice[] {
  const { homeAndPro = null, others = null } = findEnds(machine) ?? {};
  const isShown = machine.distribution === null || findEdition(machine) !== null;
  const hasEnded = (day: string | null) => day !== null && Date.parse(day) <= now;
  if (isShown || !hasEnded(homeAndPro) || hasEnded(others)) return [];
  const text = `“${machine.distribution}” does not show the edition of Windows. Support of Home and Pro ended on ${homeAndPro}.`;
  return [{ kind: 'noEdition', text, command: null }];
}

/**
 * Products with Extended Security Updates, in the form of productOfMachine, from
 * https://learn.microsoft.com/lifecycle/faq/extended-security-updates. Other products end for everyone, and releases that go on for
 * some editions (Windows 10 version 21H2: LTSC) have the same updates without a subscription.
 */
const extendedProducts: readonly string[] = [
  'windows 7',
  'windows 10 version 22h2',
  'windows server 2008',
  'windows server 2008 r2',
  'windows server 2012',
  'windows server 2012 r2',
];

const dayMs = 86_400_000;

type WindowsMachine = Pick<Machine, 'build' | 'kbs'> &
  Partial<Pick<Machine, 'distribution' | 'architecture'>>;

/**
 * Replaces "missing" by "needs a subscription" for updates after the end of support, unless the machine shows that it has the
 * subscription: one of these updates is installed.
 */
export function withSubscriptions(
  { build, kbs, distribution = null, architecture = null }: WindowsMachine,
  updates: readonly WindowsUpdate[],
  verdicts: ReadonlyMap<string, RecordVerdict>,
): ReadonlyMap<string, RecordVerdict> {
  const machine = { build, distribution, architecture };
  const product = productOfMachine(machine)?.replace(/ \(\w+\)$/, '') ?? '';
  const end = windowsEndOfSupport(machine);
  if (end === null || !extendedProducts.includes(product)) return verdicts;
  const endsAt = Date.parse(end) + dayMs;
  const extended = updates.filter(
    ({ releaseDate }) => releaseDate !== null && releaseDate >= endsAt,
  );
  const own = windowsBuild(build);
  const isInstalled = ({ kb, fixedBuilds }: WindowsUpdate): boolean => {
    const fixed = revisionOn(own?.branch ?? '', fixedBuilds);
    const revision = own?.revision ?? null;
    return kbs.includes(kb) || (fixed !== null && revision !== null && revision >= fixed);
  };
  if (extended.some(isInstalled)) return verdicts;
  const keys = new Set(extended.map(({ key }) => key));
  return new Map(
    [...verdicts].map(([key, verdict]) => [
      key,
      verdict.kind === 'missing' && keys.has(key)
        ? { kind: 'needsSubscription', evidence: verdict.evidence }
        : verdict,
    ]),
  );
}
