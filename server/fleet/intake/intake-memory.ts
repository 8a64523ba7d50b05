/**
 * Cache of one intake thread: machines of one image have the same lines, packages and parts. Bounded; the results do not depend
 * on it.
 */
import {
  type InventoryPart,
  mapInventoryParts,
  type PartOrigin,
} from '@patch/catalogue/fleet/inventory-part.ts';
import { detach, KnownLines } from '@patch/catalogue/machines/inventory/known-lines.ts';
import type { InstalledPackage, Machine } from '@patch/catalogue/machines/machine.ts';
import { type HashedPart, hashPart } from '../parts/inventory-part-store.ts';

/** A part takes about a kilobyte, a package half of one. */
const maxParts = 60_000;
const maxPackages = 100_000;

export class IntakeMemory {
  readonly lines = new KnownLines((found) => this.#own(found));
  readonly partNumbers = new PartNumbers();
  /** Packages by their content. */
  readonly #packages = new Map<string, KnownPackage>();
  #lastNumber = 0;
  /** Parts by their surroundings, then by the numbers of their packages. */
  readonly #parts = new Map<string, Map<string, HashedPart>>();
  #partCount = 0;

  hashedParts(machine: Machine): readonly HashedPart[] {
    const packages = machine.packages.map((one) =>
      one instanceof KnownPackage ? one : this.#own(one),
    );
    return mapInventoryParts({ ...machine, packages }, (origin, part) =>
      origin === null ? hashPart(part()) : this.#hashedPart(origin, part),
    );
  }

  #own(one: InstalledPackage): KnownPackage {
    const { format, name, version, epoch, architecture, module, source, stateKnown, cut } = one;
    const stream = module.kind === 'stream' ? [module.name, module.stream] : module.kind;
    const from = source === null ? null : [source.name, source.version];
    const fields = [format, name, version, epoch, architecture, stream, from, stateKnown, cut];
    const key = JSON.stringify(fields);
    return this.#packages.get(key) ?? this.#newPackage(key, one);
  }

  #newPackage(key: string, one: InstalledPackage): KnownPackage {
    if (this.#packages.size >= maxPackages) this.#packages.clear();
    this.#lastNumber += 1;
    const made = new KnownPackage(detach(one), this.#lastNumber);
    this.#packages.set(key, made);
    return made;
  }

  #hashedPart(origin: PartOrigin, part: () => InventoryPart): HashedPart {
    const { surroundings, packages } = origin;
    // Most packages are the only one of their name.
    const only = packages.length === 1 ? requireKnown(packages[0]) : null;
    if (only === null) return this.#partOf(origin, part);
    return only.partIn(surroundings, () => this.#partOf(origin, part));
  }

  #partOf({ surroundings, packages }: PartOrigin, part: () => InventoryPart): HashedPart {
    const parts = this.#parts.get(surroundings) ?? new Map<string, HashedPart>();
    const key = packages.map((one) => requireKnown(one).number).join(' ');
    const known = parts.get(key);
    if (known !== undefined) return known;
    const made = hashPart(detach(part()));
    if (this.#partCount >= maxParts) {
      this.#parts.clear();
      this.#partCount = 0;
      return made;
    }
    this.#parts.set(surroundings, parts.set(key, made));
    this.#partCount += 1;
    return made;
  }
}

/** Represents all equal packages by one object. A copy of it with other facts is not one. */
class KnownPackage implements InstalledPackage {
  readonly format: InstalledPackage['format'];
  readonly name: string;
  readonly version: string;
  readonly epoch: string | null;
  readonly architecture: string | null;
  readonly module: InstalledPackage['module'];
  readonly source: InstalledPackage['source'];
  readonly stateKnown: boolean;
  readonly cut?: true;
  readonly #number: number;
  /** The part that consists of this package alone, and its last surroundings. */
  #alone: HashedPart | null = null;
  #aloneIn = '';

  constructor(one: InstalledPackage, number: number) {
    this.format = one.format;
    this.name = one.name;
    this.version = one.version;
    this.epoch = one.epoch;
    this.architecture = one.architecture;
    this.module = one.module;
    this.source = one.source;
    this.stateKnown = one.stateKnown;
    if (one.cut === true) this.cut = true;
    this.#number = number;
  }

  /** Unique: a package that was evicted gets another number. */
  get number(): number {
    return this.#number;
  }

  /** Returns the part that consists of this package alone. */
  partIn(surroundings: string, make: () => HashedPart): HashedPart {
    if (this.#alone === null || this.#aloneIn !== surroundings) {
      this.#alone = make();
      this.#aloneIn = surroundings;
    }
    return this.#alone;
  }
}

function requireKnown(one: InstalledPackage | undefined): KnownPackage {
  if (one instanceof KnownPackage) return one;
  throw new Error('A part has a package that its machine has not');
}

interface NumberedPart {
  readonly number: number;
  /** The number of deletions at that time. */
  readonly deletions: number;
}

/** Caches ids of parts in the database, valid as long as no part is deleted there. */
export class PartNumbers {
  readonly #numbers = new WeakMap<HashedPart, NumberedPart>();
  #deletions = -1;

  /**
   * Requires a transaction in which no parts are deleted.
   * @param deletions The database's current number of deletions.
   */
  invalidateIfChanged(deletions: number): void {
    this.#deletions = deletions;
  }

  get(part: HashedPart): number | undefined {
    const known = this.#numbers.get(part);
    return known?.deletions === this.#deletions ? known.number : undefined;
  }

  set(part: HashedPart, number: number): void {
    this.#numbers.set(part, { number, deletions: this.#deletions });
  }
}
