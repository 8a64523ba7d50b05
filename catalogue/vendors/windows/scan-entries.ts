/** What the lists show of an update that Windows Update offers: a row of the KB base for each of its KBs, and one patch. */
import { type Entry, entry, type UnknownWord } from '../../definition/feed.ts';
import { type Severity, severityOf, unknownSeverity } from '../../schemas/severities.ts';
import { distinctWords } from '../../values/vendor-words.ts';
import type { ScanProperties, ScanWords } from './scan-facts.ts';
import type { ScanUpdate } from './scan-package.ts';
import {
  architecturesOfUpdate,
  filesOf,
  type PartOfUpdate,
  sizeToDownload,
  type UpdateFile,
} from './scan-payload.ts';
import { type kbClassifications, windowsKbBaseList } from './windows-kb-base-list.ts';
import { windowsPatchList } from './windows-patch-list.ts';

/** An update that Windows Update offers, with its details. */
export interface UnderstoodUpdate {
  readonly update: ScanUpdate;
  readonly properties: ScanProperties;
  readonly words: ScanWords;
  readonly kbs: readonly string[];
}

interface UpdateInContext extends UnderstoodUpdate {
  /** Itself and what is bundled in it. */
  readonly parts: readonly PartOfUpdate[];
  readonly classification: string | null;
  readonly products: string[];
  readonly supersedes: string[];
  readonly supersededBy: string[];
  /** Null where the file contradicts itself. */
  readonly superseded: boolean | null;
  /** How many updates replace it that the file does not have. */
  readonly supersededUnnamed: number;
}

type Classification = (typeof kbClassifications)[number];

/** What the row of the KB base and the patch have in common. */
interface SharedContent {
  readonly files: readonly UpdateFile[];
  readonly columns: {
    readonly uuid: string;
    readonly title: string;
    readonly releaseDate: number | null;
    readonly severity: Severity;
    readonly superseded: boolean | null;
  };
  readonly architecture: string[];
  readonly restartBehaviour: string | null;
  readonly facts: {
    readonly vendorSeverity: string | null;
    readonly uninstallNotes: string | null;
    readonly uninstallRestartBehaviour: string | null;
    readonly supersededUnnamed: number | null;
  };
  readonly unknownWords: readonly UnknownWord[];
}

/** An update that names no KB is a patch only. */
export function* scanEntries(
  offered: UpdateInContext,
  addresses: ReadonlyMap<string, string>,
): Generator<Entry> {
  const { update, kbs } = offered;
  const shared = sharedContent(offered, addresses);
  for (const [place, kbId] of kbs.entries())
    yield kbBaseEntry(place === 0 ? update.uuid : `${update.uuid} ${kbId}`, kbId, offered, shared);
  yield patchEntry(offered, shared);
}

function sharedContent(
  { update, properties, words, parts, superseded, supersededUnnamed }: UpdateInContext,
  addresses: ReadonlyMap<string, string>,
): SharedContent {
  const files = parts.flatMap((part) => filesOf(part, addresses));
  return {
    files,
    columns: {
      uuid: update.uuid,
      title: words.title,
      releaseDate: update.created,
      severity: severityOf(properties.severity),
      superseded,
    },
    architecture: architecturesOfUpdate(words.title, files),
    restartBehaviour: restartOf(parts.map(({ properties: of }) => of.rebootBehaviour)),
    facts: {
      vendorSeverity: properties.severity,
      uninstallNotes: words.uninstallNotes,
      uninstallRestartBehaviour: restartOf(
        parts.map(({ properties: of }) => of.uninstallRebootBehaviour),
      ),
      supersededUnnamed: supersededUnnamed || null,
    },
    unknownWords: [...unknownSeverity(properties.severity), ...unknownRestarts(parts)],
  };
}

function kbBaseEntry(
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
      // A word of Microsoft's that the list does not offer is shown as it is.
      category: offered.classification as Classification | null,
      productName: offered.products,
      size: sizeToDownload(parts, kbs),
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

function patchEntry(
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

/** The strongest first. */
const restarts: readonly (readonly [vendorWord: string, words: string])[] = [
  ['AlwaysRequiresReboot', 'Required'],
  ['CanRequestReboot', 'Can request restart'],
  ['NeverReboots', 'Not required'],
];

/** The strongest of what is said; a word that is not known stands for itself, behind those that are. */
function restartOf(said: readonly (string | null)[]): string | null {
  const strongest = restarts.find(([word]) => said.includes(word));
  return strongest?.[1] ?? said.find((word) => word !== null) ?? null;
}

function unknownRestarts(parts: readonly PartOfUpdate[]): UnknownWord[] {
  const said = parts.flatMap(({ properties: { rebootBehaviour, uninstallRebootBehaviour } }) => [
    rebootBehaviour,
    uninstallRebootBehaviour,
  ]);
  return distinctWords(said)
    .filter((word) => !restarts.some(([known]) => known === word))
    .map((word) => ({ vocabulary: 'restart behaviour', word, shownAs: null }));
}
