/** Generates odd records and risk facts: empty values, ties, letters that fold unusually. The result depends on the seed only. */
import type { CveRecord, KnownExploited } from '@patch/catalogue/definition/risk-facts.ts';
import type { ListKey } from '@patch/catalogue/lists.ts';
import { type Chance, createChance, pick as pickElement } from '@patch/catalogue/testing/chance.ts';

type Values = Readonly<Record<string, unknown>>;

export interface OddEntry {
  readonly key: string;
  readonly row: Values;
  readonly detail: Values;
}

export interface OddCatalogue {
  readonly entries: ReadonlyMap<ListKey, readonly OddEntry[]>;
  readonly exploited: readonly KnownExploited[];
  readonly scored: readonly CveRecord[];
  readonly epss: ReadonlyMap<string, number>;
}

export type Random = Chance;

export const seededRandom = (seed: number): Random => createChance(seed * 2_654_435_761);

export const pick = <T>(random: Random, values: readonly T[]): T => pickElement(values, random);

const words =
  "openssl OpenSSL kernel Kernel-rt bash İstanbul ISTANBUL ıslak Straße STRASSE ÄÖÜ äöü 100% a_b back\\slash o'neil x ab 日本 𝔘nicode á á".split(
    ' ',
  );
const products = [
  'Windows Server 2022',
  'Windows 10 Version 22H2',
  'Windows 11',
  'Microsoft Office 2019',
];
const day = 86_400_000;
const firstDay = Date.UTC(2019, 11, 30, 22);

class OddMaker {
  readonly #random: Random;
  readonly cves: readonly string[];

  constructor(random: Random) {
    this.#random = random;
    this.cves = Array.from({ length: 400 }, (_, n) => `CVE-${2019 + (n % 8)}-${1000 + n * 7}`);
  }

  chance(share: number): boolean {
    return this.#random() < share;
  }

  pickOne<T>(values: readonly T[]): T {
    return pick(this.#random, values);
  }

  number(below: number): number {
    return Math.floor(this.#random() * below);
  }

  /** Returns up to `most` distinct values. */
  pickSome<T>(values: readonly T[], most: number): T[] {
    return [...new Set(Array.from({ length: this.number(most + 1) }, () => this.pickOne(values)))];
  }

  title(): string | null {
    if (this.chance(0.04)) return this.pickOne([null, '']);
    return Array.from({ length: 1 + this.number(4) }, () => this.pickOne(words)).join(' ');
  }

  /** Returns one of few days, so that many dates are equal. */
  date(): number | null {
    return this.chance(0.1) ? null : firstDay + this.number(90) * 29 * day + this.number(2) * 1000;
  }

  flag(): boolean | null {
    return this.pickOne([true, false, false, null]);
  }

  severity(): string | null {
    return this.pickOne([null, 'Critical', 'Important', 'Moderate', 'Low', 'None', 'Unheard of']);
  }

  pickCves(): string[] {
    return this.chance(0.3) ? [] : this.pickSome(this.cves, 6);
  }
}

export function buildOddCatalogue(random: Random): OddCatalogue {
  const odd = new OddMaker(random);
  const list = (count: number, build: (n: number) => Omit<OddEntry, 'key'>) =>
    Array.from({ length: count }, (_, n) => ({ key: `${n}`, ...build(n) }));
  return {
    entries: new Map<ListKey, readonly OddEntry[]>([
      ['almalinux_patch', list(1100, (n) => erratum(odd, n))],
      ['debian_patch', list(600, (n) => advisory(odd, n))],
      ['patch_repository', list(650, (n) => kb(odd, n))],
      ['kb_repository', list(350, (n) => baseKb(odd, n))],
      ['patch', list(150, (n) => patch(odd, n))],
      ['thirdparty_patch', list(120, (n) => application(odd, n))],
    ]),
    ...buildRisk(odd),
  };
}

function erratum(odd: OddMaker, n: number) {
  const names = odd.pickSome(words, 3).map((word) => `${word.toLowerCase()}-libs`);
  return {
    row: {
      title: odd.title(),
      releaseDate: odd.date(),
      bulletinId: odd.chance(0.02) ? null : `ALSA-20${20 + (n % 5)}:${n}`,
      severity: odd.severity(),
      binaryPkgName: names,
      category: odd.pickOne([null, 'security', 'bugfix', 'enhancement']),
      osVersion: odd.pickSome(['8', '9', '10', '8.10'], 3),
    },
    detail: {
      cve: odd.pickCves(),
      vendorSeverity: odd.pickOne([null, 'important', 'HIGH', 'low']),
      upstreamAdvisories: odd.pickSome(['RHSA-2024:1', 'RHSA-2024:2'], 2),
      packages: names.map((name) => ({ name, version: `1:${odd.number(9)}.${odd.number(9)}.el9` })),
    },
  };
}

function advisory(odd: OddMaker, n: number) {
  const name = odd.pickOne(['openssl', 'linux', 'bash', 'xz-utils']);
  return {
    row: {
      title: odd.title(),
      pkgName: name,
      osVersion: odd.pickOne([null, 'bookworm', 'bullseye']),
      bulletinId: odd.chance(0.05) ? null : `DSA-${5000 + n}-1`,
      priority: odd.pickOne([null, 'unassigned', 'low', 'high', 'end-of-life']),
      pkgAndVersion: `${name} ${n}`,
      releaseDate: odd.date(),
    },
    detail: {
      cve: odd.pickCves(),
      vendorPriority: odd.pickOne([null, 'high**']),
      packages: [{ name }],
    },
  };
}

const kbId = (odd: OddMaker) => `KB50${String(odd.number(420)).padStart(5, '0')}`;

function kb(odd: OddMaker, n: number) {
  return {
    row: {
      name: odd.title(),
      productName: odd.chance(0.05) ? null : odd.pickOne(products),
      paramName: `p${n}`,
      component: odd.pickSome(['Windows Kernel', 'Win32K', 'İstanbul'], 3),
      kbId: odd.chance(0.04) ? null : kbId(odd),
      severity: odd.severity(),
      impact: odd.pickOne([null, 'Remote Code Execution', 'Spoofing']),
      releaseDate: odd.date(),
      latestKb: odd.chance(0.5) ? null : kbId(odd),
      cve: odd.pickCves(),
      supersedes: odd.chance(0.5) ? [] : [kbId(odd), kbId(odd)],
      superseded: odd.flag(),
      exploited: odd.flag(),
      publiclyDisclosed: odd.flag(),
    },
    detail: {},
  };
}

function baseKb(odd: OddMaker, n: number) {
  return {
    row: {
      kbId: odd.chance(0.1) ? null : kbId(odd),
      uuid: `0ab1c2d3-0000-4000-8000-${String(n).padStart(12, '0')}`,
      title: odd.title(),
      releaseDate: odd.date(),
      category: odd.pickOne([null, 'Security Updates', 'Updates']),
      severity: odd.severity(),
      productName: odd.pickSome(products, 3),
      size: odd.pickOne([null, 0, 1024, 5_000_000_000]),
      superseded: odd.flag(),
      cabExists: odd.flag(),
    },
    detail: { cve: odd.pickCves(), vendorSeverity: odd.pickOne([null, 'Critical']) },
  };
}

function patch(odd: OddMaker, n: number) {
  return {
    row: {
      uuid: `1ab1c2d3-0000-4000-8000-${String(n).padStart(12, '0')}`,
      kbId: odd.chance(0.1) ? null : kbId(odd),
      title: odd.title(),
      releaseDate: odd.date(),
      severity: odd.severity(),
      superseded: odd.flag(),
    },
    detail: { vendorSeverity: odd.pickOne([null, 'Moderate']) },
  };
}

function application(odd: OddMaker, n: number) {
  return {
    row: {
      uuid: `2ab1c2d3-0000-4000-8000-${String(n).padStart(12, '0')}`,
      name: odd.title(),
      manufacturer: odd.pickOne([null, 'Mozilla', 'ÄÖÜ GmbH', 'İstanbul A.Ş.']),
      description: 'Words\nof it',
      category: null,
    },
    detail: { releaseDate: odd.date(), releasePackages: odd.chance(0.5) ? [] : [{ name: 'x64' }] },
  };
}

function buildRisk(odd: OddMaker): Omit<OddCatalogue, 'entries'> {
  const exploited = odd.cves
    .filter(() => odd.chance(0.15))
    .map((cve, n): KnownExploited => {
      const dates = {
        dateAdded: firstDay + n * day,
        dueDate: n % 3 === 0 ? null : firstDay + 2 * n * day,
      };
      return {
        kind: 'kev',
        cve,
        ...dates,
        vendorProject: 'Vendor',
        product: 'Product',
        name: `${odd.pickOne(words)} flaw ${n % 7}`,
        description: '',
        requiredAction: '',
        ransomware: odd.flag(),
        notes: '',
        cwes: [],
      };
    });
  const scored = odd.cves.filter(() => odd.chance(0.75)).map((cve) => record(odd, cve));
  const epss = odd.cves
    .filter(() => odd.chance(0.7))
    .map((cve) => [cve, odd.number(40) / 40] as const);
  return { exploited, scored, epss: new Map(epss) };
}

function record(odd: OddMaker, cve: string): CveRecord {
  const score = odd.number(21) / 2;
  return {
    kind: 'cvss',
    cve,
    description: odd.pickOne(['', `Flaw in ${odd.pickOne(words)}`]),
    status: 'Analyzed',
    rejected: false,
    published: odd.date(),
    lastModified: 1,
    scores: odd.chance(0.15)
      ? []
      : [
          {
            version: '3.1',
            score,
            vector: `CVSS:3.1/AV:N/${odd.number(5)}`,
            severity: null,
            scorer: 'nvd',
            source: 'nvd@nist.gov',
          },
        ],
    ssvc: odd.chance(0.6)
      ? null
      : {
          exploitation: odd.pickOne(['none', 'poc', 'active']),
          automatable: odd.pickOne([null, 'yes', 'no']),
          technicalImpact: null,
          version: null,
          decidedOn: null,
        },
  };
}
