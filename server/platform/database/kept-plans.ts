/** Chooses the statements of a pool whose plans its connections keep: planning takes longer than running those that a request repeats. */
import { sha256Base64Url } from '@patch/catalogue/parsers/sha256.ts';

/** PostgreSQL plans a named statement five more times on each connection before it may keep the plan. */
const runsBefore = 3;
/** A connection never forgets a plan. */
const maxKept = 150;
/** Searches have texts without number, most of which are run once. */
const maxCounted = 1000;

export class KeptPlans {
  readonly #names = new Map<string, string>();
  #runs = new Map<string, number>();

  /** Returns the name under which the statement is prepared, or undefined for one that is not. The driver refuses one name for two texts. */
  nameOf(text: string): string | undefined {
    const name = this.#names.get(text);
    if (name !== undefined || this.#names.size >= maxKept) return name;
    const runs = (this.#runs.get(text) ?? 0) + 1;
    if (runs > runsBefore) {
      this.#runs.delete(text);
      // PostgreSQL compares 63 characters of names.
      this.#names.set(text, sha256Base64Url(text));
    } else {
      if (this.#runs.size >= maxCounted) this.#runs = new Map();
      this.#runs.set(text, runs);
    }
    return undefined;
  }
}
