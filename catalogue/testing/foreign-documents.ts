/** Each feed over a document that is another, calls itself another, has fields of another type, or is empty. */
import { expect, test } from 'vitest';
import type { AnyPart, Document } from '../definition/feed.ts';
import { feeds } from '../feeds.ts';
import { BrokenDocument } from '../parsers/create-document.ts';
import type { SourceKey } from '../sources.ts';
import type { FixtureFiles } from './fixture-files.ts';
import { memoryPublication, type Served } from './memory-publication.ts';
import { createSigner } from './signed-text.ts';

export const key = await createSigner();
const now = Date.UTC(2026, 1, 20);

/** Under both schemes, for archives are asked without encryption. */
export const servedFrom = (files: FixtureFiles): Served =>
  Object.fromEntries(
    Object.entries(files).flatMap(([path, content]) =>
      ['http', 'https'].map((scheme) => [
        `${scheme}://${path.replace('index.json@', '@').replace('@', '?')}`,
        content,
      ]),
    ),
  );

/** The text of the files whose paths match is edited. */
export const edited = (files: FixtureFiles, path: RegExp, edit: (text: string) => string): Served =>
  servedFrom(
    Object.fromEntries(
      Object.entries(files).map(([name, content]) => [
        name,
        path.test(name) ? edit(String(content)) : content,
      ]),
    ),
  );

export async function describeOutcome(
  part: AnyPart,
  served: Served,
  last: readonly Document[] = [],
) {
  const publication = { ...memoryPublication(served, { now, last }), trustedKeys: [key.publicKey] };
  const lines: string[] = [];
  let entries = 0;
  try {
    const contents = await part.contents(publication);
    const readings = [...(contents.remarks ?? [])];
    for await (const item of part.read(contents)) {
      if (item.kind === 'remark' || item.kind === 'rejection') readings.push(item);
      else if (item.kind !== 'status') entries += 1;
    }
    for (const reading of readings)
      lines.push(
        reading.kind === 'remark'
          ? reading.remark
          : `${reading.rejected} rejected: ${reading.reason}`,
      );
  } catch (error) {
    if (!(error instanceof BrokenDocument)) throw error;
    return { refused: error.problem };
  }
  return { entries, lines: [...publication.copiesRead, ...lines] };
}

type Kind = 'good' | 'foreign' | 'retitled' | 'half-typed' | 'emptied';
/** A kind of document, the documents served, and the expected outcome (why it is refused; or the number of entries and what is said of the others), and the last copy. */
export type Case = readonly [
  document: Kind,
  served: Served,
  says: string | readonly (number | string)[],
  last?: readonly Document[],
];

export const page = '<html><body>Service Unavailable</body></html>';
export const json = (value: unknown) => JSON.stringify(value);

export type FeedCases = Readonly<Record<string, readonly [SourceKey, string, readonly Case[]]>>;

const containing = (text: string): unknown => expect.stringContaining(text);

function expectedOutcome(says: Case[2]): unknown {
  if (typeof says === 'string') return { refused: containing(says) };
  const [entries, ...lines] = says;
  return { entries, lines: lines.map((line) => containing(String(line))) };
}

export function testForeignDocuments(cases: FeedCases): void {
  const tested = Object.entries(cases).flatMap(([name, [source, part, ofFeed]]) =>
    ofFeed.map((given) => ({ name, source, part, document: given[0], given })),
  );

  test.each(tested)(
    'reads $name when a document is $document',
    async ({ source, part, given: [, served, says, last] }) => {
      const found = feeds[source]?.parts.find((candidate) => candidate.key === part);
      if (found === undefined) throw new Error(`${source} has no part ${part}`);
      expect(await describeOutcome(found, served, last)).toEqual(expectedOutcome(says));
    },
  );
}
