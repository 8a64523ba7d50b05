/** What one thread that takes in machines remembers of those before: machines of one image have the same lines, packages and parts. Bounded; without it the result is the same. */
import {
  type InventoryPart,
  madeParts,
  type PartOrigin,
} from '@patch/catalogue/fleet/inventory-part.ts';
import { KnownLines, ofItsOwn } from '@patch/catalogue/machines/inventory/known-lines.ts';
import type { InstalledPackage, Machine } from '@patch/catalogue/machines/machine.ts';
import { type HashedPart, hashedPart } from './inventory-part-store.ts';

/** A part takes about a kilobyte, a package half of one. */
const maxParts = 60_000;
const maxPackages = 100_000;

export class IntakeMemory {
  readonly lines = new KnownLines();
  readonly partNumbers = new PartNumbers();
  /** By their content. */
  readonly #packages = new Map<string, KnownPackage>();
  /** By the objects that were seen, those of known lines among them. */
  readonly #known = new WeakMap<InstalledPackage, KnownPackage>();
  #lastNumber = 0;
  /** By what the part depends on, and the numbers of its packages. */
  readonly #parts = new Map<string, Map<string, HashedPart>>();
  #partCount = 0;

  hashedParts(machine: Machine): readonly HashedPart[] {
    const packages = machine.packages.map((one) => (this.#known.get(one) ?? this.#own(one)).own);
    return madeParts({ ...machine, packages }, (origin, part) =>
      origin === null ? hashedPart(part()) : this.#hashedPart(origin, part),
    );
  }

  #own(one: InstalledPackage): KnownPackage {
    const { format, name, version, epoch, architecture, module, source, stateKnown } = one;
    const stream = module.kind === 'stream' ? [module.name, module.stream] : module.kind;
    const from = source === null ? null : [source.name, source.version];
    const fields = [format, name, version, epoch, architecture, stream, from, stateKnown];
    const key = JSON.stringify(fields);
    const known = this.#packages.get(key) ?? this.#newPackage(key, one);
    this.#known.set(one, known);
    return known;
  }

  #newPackage(key: string, one: InstalledPackage): KnownPackage {
    if (this.#packages.size >= maxPackages) this.#packages.clear();
    this.#lastNumber += 1;
    const made = { own: ofItsOwn(one), number: this.#lastNumber };
    this.#packages.set(key, made);
    this.#known.set(made.own, made);
    return made;
  }

  #hashedPart({ surroundings, packages }: PartOrigin, part: () => InventoryPart): HashedPart {
    const parts = this.#parts.get(surroundings) ?? new Map<string, HashedPart>();
    const numbers = packages.map((one) => this.#numberOf(one));
    const key = numbers.join(' ');
    const known = parts.get(key);
    if (known !== undefined) return known;
    const made = hashedPart(ofItsOwn(part()));
    if (this.#partCount >= maxParts) {
      this.#parts.clear();
      this.#partCount = 0;
      return made;
    }
    this.#parts.set(surroundings, parts.set(key, made));
    this.#partCount += 1;
    return made;
  }

  #numberOf(one: InstalledPackage): number {
    const known = this.#known.get(one);
    if (known === undefined) throw new Error('A part has a package that its machine has not');
    return known.number;
  }
}

interface KnownPackage {
  /** One object for all packages that are equal. */
  readonly own: InstalledPackage;
  /** Given once: a package that was forgotten gets another. */
  readonly number: number;
}

/** The numbers of parts that the database is known to have, as long as none is deleted there. */
export class PartNumbers {
  #numbers = new WeakMap<HashedPart, number>();
  /** How often parts have been deleted, as of which the numbers hold. */
  #deletions = -1;

  /** Call in a transaction in which no parts are deleted, with what its database says. */
  holdAsOf(deletions: number): void {
    if (deletions !== this.#deletions) this.#numbers = new WeakMap();
    this.#deletions = deletions;
  }

  get(part: HashedPart): number | undefined {
    return this.#numbers.get(part);
  }

  set(part: HashedPart, number: number): void {
    this.#numbers.set(part, number);
  }
}
