/** A list of records that no database has. */
import type { WithListSource } from '../publish-list.ts';

interface MadeUpRecord {
  readonly text: string;
  readonly revision: number;
}

export class MadeUpList {
  readonly name: string;
  readonly #family: string | null;
  readonly #records = new Map<number, MadeUpRecord>();
  #revision = 0;

  constructor(name: string, family: string | null) {
    this.name = name;
    this.#family = family;
  }

  write(ids: readonly number[], text: string): void {
    this.#revision += 1;
    for (const id of ids) this.#records.set(id, { text, revision: this.#revision });
  }

  readonly withSource: WithListSource = (work) => {
    const records = [...this.#records].toSorted(([one], [other]) => one - other);
    return work(
      this.#revision === 0
        ? null
        : {
            list: this.name,
            family: this.#family,
            revision: this.#revision,
            form: 'form',
            async *read(since) {
              yield records
                .filter(([, { revision }]) => revision > since)
                .map(([id, { text }]) => ({ id, isListed: true, line: lineOf(id, text) }));
            },
          },
    );
  };
}

const lineOf = (id: number, text: string) =>
  JSON.stringify({
    id,
    row: { text },
    detail: {},
    firstSeenTime: 1,
    changedTime: 1,
    withdrawnTime: null,
  });
