/** Collects what the readers of an inventory find, and counts the lines that each of them understood. */
import type {
  InstalledApplication,
  InstalledPackage,
  InventoryFormat,
  InventoryReading,
  InventoryTrouble,
  MachinePlatform,
  UnreadableLine,
} from '../machine.ts';
import { machineArchitecture } from './architectures.ts';
import type { InventoryLine } from './inventory-pieces.ts';
import type { KnownLine } from './known-lines.ts';
import { mergedPackages } from './merged-packages.ts';

/** As many as a person will read; the others are counted. */
const maxUnreadable = 500;
const maxShownLength = 200;

/** What has one value on a machine. */
export interface MachineFacts {
  platform: MachinePlatform;
  distribution: string;
  release: string;
  architecture: string;
  kernel: string;
  build: string;
}

/** A name and a version without a sign of their package format; the distribution decides. */
export interface UndecidedPackage {
  readonly line: InventoryLine;
  readonly name: string;
  readonly architecture: string | null;
  readonly version: string;
}

interface UnreadableOptions {
  readonly lines?: number;
  readonly trouble?: InventoryTrouble;
}

export class MachineDraft {
  readonly #facts: Partial<MachineFacts> = {};
  readonly #understood = new Map<InventoryFormat, number>();
  readonly #unreadable: UnreadableLine[] = [];
  #unreadableLines = 0;
  #lastUnreadable: number | null = null;
  readonly #troubles = new Set<InventoryTrouble>();
  readonly #packages: InstalledPackage[] = [];
  readonly #removed: InstalledPackage[] = [];
  readonly #undecided: UndecidedPackage[] = [];
  readonly #kbs = new Set<string>();
  readonly #applications = new Map<string, InstalledApplication>();
  #lastFormat: InventoryFormat | null = null;
  #unlistedKbs = 0;
  /** A line of the form name-epoch:version-release.architecture was read: lines of that form without an epoch have none. */
  nevraHasEpochs = false;

  understood(format: InventoryFormat, lines = 1): void {
    this.#lastFormat = format;
    this.#understood.set(format, (this.#understood.get(format) ?? 0) + lines);
  }

  /** How many were added. */
  get packages(): number {
    return this.#packages.length;
  }

  /** With the format that was understood last. */
  get lastPackage(): KnownLine | null {
    const [found, format] = [this.#packages.at(-1), this.#lastFormat];
    return found === undefined || format === null ? null : { format, found };
  }

  unreadable(
    { number, text }: InventoryLine,
    reason: string,
    { lines = 1, trouble = 'unknownLines' }: UnreadableOptions = {},
  ): void {
    this.#unreadableLines += lines;
    this.trouble(trouble);
    this.#lastUnreadable = number;
    if (this.#unreadable.length >= maxUnreadable) return;
    const shown = text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text;
    this.#unreadable.push({ line: number, text: shown, reason });
  }

  get hasUnderstood(): boolean {
    return this.#understood.size > 0;
  }

  /** Of the last that was looked at. */
  isUnreadable({ number }: InventoryLine): boolean {
    return this.#lastUnreadable === number;
  }

  trouble(trouble: InventoryTrouble): void {
    this.#troubles.add(trouble);
  }

  fact<Name extends keyof MachineFacts>(name: Name): MachineFacts[Name] | undefined {
    return this.#facts[name];
  }

  /**
   * Keeps the first value. False when another one is known already: the text then names two machines. A build that states a revision
   * replaces the same build without.
   */
  setFact<Name extends keyof MachineFacts>(name: Name, value: MachineFacts[Name]): boolean {
    const known = this.#facts[name];
    if (known === undefined || (name === 'build' && value.startsWith(`${known}.`))) {
      this.#facts[name] = value;
      return true;
    }
    return known === value || (name === 'build' && known.startsWith(`${value}.`));
  }

  addPackage(found: InstalledPackage): void {
    this.#packages.push(found);
  }

  /** The text ends within its last row: the last package has no architecture, though the one before it has. */
  cutLastRow(): void {
    const [before, last] = this.#packages.slice(-2);
    if (
      last?.format !== 'rpm' ||
      last.architecture !== null ||
      (before?.architecture ?? null) === null
    )
      return;
    this.#packages.splice(-1, 1, { ...last, cut: true });
  }

  /** Removed, with its configuration left. */
  addRemoved(found: InstalledPackage): void {
    this.#removed.push(found);
  }

  addUndecided(found: UndecidedPackage): void {
    this.#undecided.push(found);
  }

  /** Digits, with or without KB before them. */
  addKb(written: string): void {
    this.#kbs.add(written.replace(/^KB/i, '').replace(/^0+/, ''));
  }

  /** Counts hotfixes that a list announces and does not name. */
  addUnlistedKbs(count: number): void {
    if (count <= 0) return;
    this.#unlistedKbs += count;
    this.trouble('unlistedHotfixes');
  }

  addApplication(found: InstalledApplication): void {
    const key = JSON.stringify([found.name.toLowerCase(), found.identifier, found.version]);
    if (!this.#applications.has(key)) this.#applications.set(key, found);
  }

  finish(): InventoryReading {
    this.#decide();
    const facts = this.#facts;
    const packages = mergedPackages(this.#packages, this.#removed).map((found) =>
      this.#withFacts(found),
    );
    if (packages.some(({ cut }) => cut)) this.trouble('cutColumns');
    if (this.#isOfSeveralSystems()) this.trouble('severalMachines');
    return {
      machine: {
        platform: facts.platform ?? (this.#packages.length > 0 ? 'linux' : this.#ofFindings()),
        distribution: facts.distribution ?? null,
        release: facts.release ?? null,
        architecture: facts.architecture ?? commonArchitecture(packages),
        kernel: facts.kernel ?? null,
        build: facts.build ?? null,
        packages,
        kbs: [...this.#kbs],
        ...(this.#unlistedKbs > 0 && { unlistedKbs: this.#unlistedKbs }),
        applications: [...this.#applications.values()],
      },
      understood: [...this.#understood].map(([format, lines]) => ({ format, lines })),
      unreadable: this.#unreadable.toSorted((a, b) => a.line - b.line),
      unreadableLines: this.#unreadableLines,
      troubles: [...this.#troubles],
    };
  }

  /** Adds what the text states elsewhere: the architecture of the machine, and that its format prints epochs. */
  #withFacts(found: InstalledPackage): InstalledPackage {
    if (found.format !== 'rpm') return found;
    const architecture = found.architecture ?? this.#facts.architecture ?? null;
    const epoch = found.epoch ?? (this.nevraHasEpochs ? '0' : null);
    if (architecture === found.architecture && epoch === found.epoch) return found;
    return { ...found, architecture, epoch };
  }

  /** Packages of two package managers, or those of Linux beside what only Windows has. */
  #isOfSeveralSystems(): boolean {
    const formats = new Set(this.#packages.map(({ format }) => format));
    const isWindows = this.#kbs.size > 0 || this.#facts.build?.includes('.') === true;
    return formats.size + Number(isWindows) > 1;
  }

  #ofFindings(): MachinePlatform | null {
    return this.#kbs.size > 0 || this.#applications.size > 0 ? 'windows' : null;
  }

  #decide(): void {
    const rpm = this.isRpm;
    for (const { name, version, architecture } of this.#undecided) {
      this.understood(rpm ? 'rpm' : 'dpkg-query');
      const [, epoch, rest] = (rpm && /^(\d+):(.+)$/.exec(version)) || [];
      this.#packages.push({
        format: rpm ? 'rpm' : 'deb',
        name,
        version: rest ?? version,
        epoch: epoch ?? null,
        architecture,
        module: { kind: 'unstated' },
        source: null,
        stateKnown: rpm,
      });
    }
  }

  /** By its packages, or by its distribution. */
  get isRpm(): boolean {
    const { distribution } = this.#facts;
    return (
      (distribution !== undefined && rpmDistributions.has(distribution)) ||
      this.#packages.some(({ format }) => format === 'rpm')
    );
  }
}

/** That of most packages, without those that run on any. */
function commonArchitecture(packages: readonly InstalledPackage[]): string | null {
  const counts = new Map<string, number>();
  for (const { architecture } of packages) {
    if (architecture === null || architecture === 'noarch' || architecture === 'all') continue;
    counts.set(architecture, (counts.get(architecture) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a);
  return most === undefined ? null : machineArchitecture(most[0]);
}

const rpmDistributions: ReadonlySet<string> = new Set([
  'almalinux',
  'amzn',
  'centos',
  'fedora',
  'ol',
  'opensuse-leap',
  'opensuse-tumbleweed',
  'rhel',
  'rocky',
  'sles',
]);
