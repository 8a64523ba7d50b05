/** Maps an update of Windows Update to a row of the KB base for each of its KBs, and to one patch. */
import { type Entry, entry, type UnknownWord } from '../../../definition/feed.ts';
import { findUnknownSeverity, toSeverity } from '../../../schemas/severities.ts';
import { distinctWords } from '../../../values/vendor-words.ts';
import { type kbClassifications, windowsKbBaseList } from '../lists/windows-kb-base-list.ts';
import { windowsPatchList } from '../lists/windows-patch-list.ts';
import type { ScanProperties, ScanWords } from './scan-facts.ts';
import type { ScanUpdate } from './scan-package.ts';
import {
  computeDownloadSize,
  findArchitectures,
  listFiles,
  type PartOfUpdate,
} from './scan-payload.ts';

/** An update that Windows Update offers, with its details. */
export interface DescribedUpdate {
  readonly update: ScanUpdate;
  readonly properties: ScanProperties;
  readonly words: ScanWords;
  readonly kbs: readonly string[];
}

interface UpdateInContext extends DescribedUpdate {
  /** The update itself and the updates bundled in it. */
  readonly parts: readonly PartOfUpdate[];
  readonly classification: string | null;
  readonly products: string[];
  readonly supersedes: string[];
  readonly supersededBy: string[];
  /** Null when the file contradicts itself. */
  readonly superseded: boolean | null;
  /** Number of replacing updates that the file does not contain. */
  readonly supersededUnnamed: number;
}

type Classification = (typeof kbClassifications)[number];

/** Content that the row of the KB base and the patch share. */
type SharedContent = ReturnType<typeof createSharedContent>;

/** Yields only a patch for an update without a KB. */
export function* createScanEntries(
  offered: UpdateInContext,
  addresses: ReadonlyMap<string, string>,
): Generator<Entry> {
  const { update, kbs } = offered;
  const shared = createSharedContent(offered, addresses);
  for (const [index, kbId] of kbs.entries())
    yield createKbBaseEntry(
      index === 0 ? update.uuid : `${update.uuid} ${kbId}`,
      kbId,
      offered,
      shared,
    );
  yield createPatchEntry(offered, shared);
}

function createSharedContent(
  { update, properties, words, parts, superseded, supersededUnnamed }: UpdateInContext,
  addresses: ReadonlyMap<string, string>,
) {
  const files = parts.flatMap((part) => listFiles(part, addresses));
  return {
    files,
    columns: {
      uuid: update.uuid,
      title: words.title,
      releaseDate: update.created,
      severity: toSeverity(properties.severity),
      superseded,
    },
    architecture: findArchitectures(words.title, files),
    restartBehaviour: toRestartBehaviour(parts.map(({ properties: of }) => of.rebootBehaviour)),
    facts: {
      vendorSeverity: properties.severity,
      uninstallNotes: words.uninstallNotes,
      uninstallRestartBehaviour: toRestartBehaviour(
        parts.map(({ properties: of }) => of.uninstallRebootBehaviour),
      ),
      supersededUnnamed: supersededUnnamed || null,
    },
    unknownWords: [
      ...findUnknownSeverity(properties.severity),
      ...findUnknownRestarts(parts),
      ...properties.unknownCves,
    ],
  };
}

function createKbBaseEntry(
  key: string,
  kbId: string,
  { properties, words, kbs, parts, ...offered }: UpdateInContext,
  { files, columns, architecture, restartBehaviour, facts, unknownWords }: SharedContent,
): Entry {
  return entry(
    windowsKbBaseList,
    key,
    {
      ...columns,
      kbId,
      // An unknown word of Microsoft's is shown as written.
      category: offered.classification as Classification | null,
      productName: offered.products,
      size: computeDownloadSize(parts, kbs),
      architecture,
      restartBehaviour,
      supportUninstallation:
        parts.length > 1 || files.length > 0
          ? parts.some(({ properties: of }) => of.canBeUninstalled)
          : null,
      cabExists: files.length === 0 ? null : files.some(({ name }) => /\.cab$/i.test(name ?? '')),
    },
    {
      description: words.description,
      referenceLink:
        words.moreInfoUrl ?? `https://support.microsoft.com/help/${kbId.slice('KB'.length)}`,
      supersedes: offered.supersedes,
      supersededBy: offered.supersededBy,
      cve: [...properties.cves],
      ...facts,
      ownDate: columns.releaseDate,
      ownSuperseded: columns.superseded,
      ownSupersedes: offered.supersedes,
      ownSupersededBy: offered.supersededBy,
      ownCve: [...properties.cves],
      fileDetails: files,
    },
    unknownWords,
  );
}

function createPatchEntry(
  { update, properties, words, kbs, classification, products, supersededBy }: UpdateInContext,
  { files, columns, architecture, restartBehaviour, facts, unknownWords }: SharedContent,
): Entry {
  return entry(
    windowsPatchList,
    update.uuid,
    {
      ...columns,
      bulletinId: properties.bulletinId,
      kbId: kbs[0] ?? null,
      supportUrl: properties.supportUrl ?? words.supportUrl,
    },
    {
      description: words.description,
      architecture,
      supersededBy,
      cve: [...properties.cves],
      restartBehaviour,
      category: [classification, ...products].filter((word) => word !== null).join('; ') || null,
      ...facts,
      fileDetails: files,
    },
    unknownWords,
  );
}

/** The strictest first. */
const restarts: readonly (readonly [vendorWord: string, words: string])[] = [
  ['AlwaysRequiresReboot', 'Required'],
  ['CanRequestReboot', 'Can request restart'],
  ['NeverReboots', 'Not required'],
];

/** Returns the strictest known word, else an unknown word as written. */
function toRestartBehaviour(written: readonly (string | null)[]): string | null {
  const strongest = restarts.find(([word]) => written.includes(word));
  return strongest?.[1] ?? written.find((word) => word !== null) ?? null;
}

function findUnknownRestarts(parts: readonly PartOfUpdate[]): UnknownWord[] {
  const written = parts.flatMap(({ properties: { rebootBehaviour, uninstallRebootBehaviour } }) => [
    rebootBehaviour,
    uninstallRebootBehaviour,
  ]);
  return distinctWords(written)
    .filter((word) => !restarts.some(([known]) => known === word))
    .map((word) => ({ vocabulary: 'restart behaviour', word, shownAs: null }));
}
