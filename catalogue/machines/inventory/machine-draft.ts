/** Collects the findings of an inventory's readers, and counts the lines that each of them read. */
import type {
  InstalledApplication,
  InstalledPackage,
  InventoryFormat,
  InventoryReading,
  InventoryTrouble,
  MachinePlatform,
  UnreadableLine,
} from '../machine.ts';
import { commonArchitecture } from './architectures.ts';
import type { InventoryLine } from './inventory-pieces.ts';
import type { KnownLine } from './known-lines.ts';
import { mergePackages } from './merged-packages.ts';
import { nameRelease, type ReleaseWord } from './named-release.ts';

/** Limit of unreadable lines that are shown; further ones are only counted. */
const maxUnreadable = 500;
const maxShownLength = 200;

/** Facts with one value per machine. */
export interface MachineFacts {
  platform: MachinePlatform;
  distribution: string;
  release: string;
  architecture: string;
  kernel: string;
  build: string;
}

/** A name and a version without a hint at their package format; the distribution decides. */
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

const [base, derivative] = ['rhel', 'ol'];

/** Returns whether the number of a build or a release continues with further parts in the other one. */
const isPartOf = (name: keyof MachineFacts, part: string, whole: string) =>
  (name === 'build' || name === 'release') &&
  /^[. ]/.test(whole.slice(part.length)) &&
  whole.startsWith(part);

export class MachineDraft {
  readonly #facts: Partial<MachineFacts> = {};
  readonly #releaseWords = new Map<ReleaseWord, string>();
  readonly #understood = new Map<InventoryFormat, number>();
  readonly #unreadable: UnreadableLine[] = [];
  #unreadableLines = 0;
  #lastUnreadable: number | null = null;
  readonly #troubles = new Set<InventoryTrouble>();
  readonly #packages: InstalledPackage[] = [];
  /** Asked for each line that is of no format yet, so that it is not looked for in all packages. */
  #hasRpm = false;
  #hasDeb = false;
  readonly #removed: InstalledPackage[] = [];
  readonly #undecided: UndecidedPackage[] = [];
  readonly #kbs = new Set<string>();
  readonly #applications = new Map<string, InstalledApplication>();
  #lastFormat: InventoryFormat | null = null;
  #unlistedKbs = 0;
  #restartDue: boolean | undefined;
  /** True while only a release file names the distribution, which can be that of a derivative. */
  #isBaseDistribution = false;
  /** Set once a line name-epoch:version-release.architecture was read: then such lines without an epoch have epoch 0. */
  nevraHasEpochs = false;

  countUnderstood(format: InventoryFormat, lines = 1): void {
    this.#lastFormat = format;
    this.#understood.set(format, (this.#understood.get(format) ?? 0) + lines);
  }

  /** The number of packages added. */
  get packages(): number {
    return this.#packages.length;
  }

  /** The last package, with the format that was read last. */
  get lastPackage(): KnownLine | null {
    const [found, format] = [this.#packages.at(-1), this.#lastFormat];
    return found === undefined || format === null ? null : { format, found };
  }

  addUnreadable(
    { number, text }: InventoryLine,
    reason: string,
    { lines = 1, trouble = 'unknownLines' }: UnreadableOptions = {},
  ): void {
    this.#unreadableLines += lines;
    this.addTrouble(trouble);
    this.#lastUnreadable = number;
    if (this.#unreadable.length >= maxUnreadable) return;
    const shown = text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text;
    this.#unreadable.push({ line: number, text: shown, reason });
  }

  get hasUnderstood(): boolean {
    return this.#understood.size > 0;
  }

  /** Returns whether the last unreadable line was this one. */
  isUnreadable({ number }: InventoryLine): boolean {
    return this.#lastUnreadable === number;
  }

  addTrouble(addTrouble: InventoryTrouble): void {
    this.#troubles.add(addTrouble);
  }

  getFact<Name extends keyof MachineFacts>(name: Name): MachineFacts[Name] | undefined {
    return this.#facts[name];
  }

  /**
   * Sets the first value. Returns false when a different one is known, because the text then describes two machines. A build with
   * a revision replaces the same build without one, and 7.7.1908 the release 7.
   */
  setFact<Name extends keyof MachineFacts>(name: Name, value: MachineFacts[Name]): boolean {
    const known = this.#facts[name];
    const isBase = name === 'distribution' && this.#isBaseDistribution && value === derivative;
    if (known === undefined || isBase || isPartOf(name, known, value)) this.#facts[name] = value;
    else if (known !== value && !isPartOf(name, value, known)) return false;
    if (name === 'distribution') this.#isBaseDistribution = false;
    return true;
  }

  /** Sets the distribution of a release file; Oracle Linux has that of Red Hat beside its own. */
  setDistributionOfFile(value: string): boolean {
    const known = this.#facts.distribution;
    const isBase = value === base && (known === undefined || this.#isBaseDistribution);
    if (value === base && known === derivative) return true;
    const isSet = this.setFact('distribution', value);
    this.#isBaseDistribution = isBase;
    return isSet;
  }

  /** Adds a word about the release; the first one counts. */
  addReleaseWord(word: ReleaseWord, value: string): void {
    if (!this.#releaseWords.has(word)) this.#releaseWords.set(word, value);
  }

  addPackage(found: InstalledPackage): void {
    this.#packages.push(found);
    this.#hasRpm ||= found.format === 'rpm';
    this.#hasDeb ||= found.format === 'deb';
  }

  /** Marks the last package as cut when the text ends within its row: it lacks the architecture that the package before it has. */
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

  /** Adds a removed package whose configuration remains. */
  addRemoved(found: InstalledPackage): void {
    this.#removed.push(found);
  }

  addUndecided(found: UndecidedPackage): void {
    this.#undecided.push(found);
  }

  /** Adds a KB number, with or without the prefix KB. */
  addKb(written: string): void {
    this.#kbs.add(written.replace(/^KB/i, '').replace(/^0+/, ''));
  }

  /** Counts hotfixes that a list announces but does not contain. */
  addUnlistedKbs(count: number): void {
    if (count <= 0) return;
    this.#unlistedKbs += count;
    this.addTrouble('unlistedHotfixes');
  }

  /** Adds that a tool finds a restart due or not; a restart that one of several tools finds is due. */
  addRestart(isDue: boolean): void {
    this.#restartDue = isDue || this.#restartDue === true;
  }

  addApplication(found: InstalledApplication): void {
    const key = JSON.stringify([found.name.toLowerCase(), found.identifier, found.version]);
    if (!this.#applications.has(key)) this.#applications.set(key, found);
  }

  finish(): InventoryReading {
    this.#decide();
    const facts = this.#facts;
    const packages = mergePackages(this.#packages, this.#removed).map((found) =>
      this.#withFacts(found),
    );
    if (packages.some(({ cut }) => cut)) this.addTrouble('cutColumns');
    if (this.#isOfSeveralSystems()) this.addTrouble('severalMachines');
    return {
      machine: {
        platform: facts.platform ?? (this.#packages.length > 0 ? 'linux' : this.#guessPlatform()),
        ...nameRelease(
          { distribution: facts.distribution ?? null, release: facts.release ?? null },
          this.#releaseWords,
        ),
        architecture: facts.architecture ?? commonArchitecture(packages),
        kernel: facts.kernel ?? null,
        build: facts.build ?? null,
        packages,
        kbs: [...this.#kbs],
        ...(this.#unlistedKbs > 0 && { unlistedKbs: this.#unlistedKbs }),
        applications: [...this.#applications.values()],
        ...(this.#restartDue !== undefined && { restartDue: this.#restartDue }),
      },
      understood: [...this.#understood].map(([format, lines]) => ({ format, lines })),
      unreadable: this.#unreadable.toSorted((a, b) => a.line - b.line),
      unreadableLines: this.#unreadableLines,
      troubles: [...this.#troubles],
    };
  }

  /** Adds facts that the text states elsewhere: the machine's architecture, and that its format prints epochs. */
  #withFacts(found: InstalledPackage): InstalledPackage {
    if (found.format !== 'rpm') return found;
    const architecture = found.architecture ?? this.#facts.architecture ?? null;
    const epoch = found.epoch ?? (this.nevraHasEpochs ? '0' : null);
    if (architecture === found.architecture && epoch === found.epoch) return found;
    return { ...found, architecture, epoch };
  }

  /** Returns whether there are packages of two package managers, or Linux packages beside Windows findings. */
  #isOfSeveralSystems(): boolean {
    const formats = new Set(this.#packages.map(({ format }) => format));
    const isWindows = this.#kbs.size > 0 || this.#facts.build?.includes('.') === true;
    return formats.size + Number(isWindows) > 1;
  }

  #guessPlatform(): MachinePlatform | null {
    return this.#kbs.size > 0 || this.#applications.size > 0 ? 'windows' : null;
  }

  #decide(): void {
    const rpm = this.isRpm;
    for (const { name, version, architecture } of this.#undecided) {
      this.countUnderstood(rpm ? 'rpm' : 'dpkg-query');
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

  /** True when packages or the distribution indicate rpm. */
  get isRpm(): boolean {
    const { distribution } = this.#facts;
    return (distribution !== undefined && rpmDistributions.has(distribution)) || this.#hasRpm;
  }

  /** True when packages or the distribution indicate dpkg. */
  get isDeb(): boolean {
    const { distribution } = this.#facts;
    return (distribution !== undefined && debDistributions.has(distribution)) || this.#hasDeb;
  }
}

const debDistributions: ReadonlySet<string> = new Set(['debian', 'ubuntu', 'pardus']);

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
