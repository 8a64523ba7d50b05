/** A .smd: what Apple's update server tells of a product. Read for what the distribution does not say. */
import type { Document } from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/document-of.ts';
import {
  isDictionary,
  type PlistValue,
  plistDictionary,
  plistMember,
} from '../../parsers/plist-values.ts';
import { htmlToText } from '../../schemas/html-to-text.ts';
import { wordOf } from '../../values/vendor-words.ts';
import type { Restart } from './macos-distribution.ts';
import { rtfToText } from './rtf-to-text.ts';

export interface ServerMetadata {
  readonly title: string | null;
  readonly version: string | null;
  readonly description: string | null;
  readonly restart: Restart | null;
  /** In Apple's word, and that word where it is none that is known. */
  readonly restartWord: string | null;
  readonly unknownRestart: string | null;
  /** Why it could not be read; null when it could. */
  readonly problem: string | null;
}

const restartWords: Readonly<Record<string, Restart>> = {
  None: 'None',
  NoRestart: 'None',
  RequiredLogout: 'RequireLogout',
  RecommendedRestart: 'RecommendRestart',
  RequiredRestart: 'RequireRestart',
  RequireRestart: 'RequireRestart',
  Shutdown: 'RequireShutdown',
};

/** Throws BrokenDocument on bytes that are no text: they were damaged on their way. */
export async function readServerMetadata(document: Document): Promise<ServerMetadata> {
  await document.text();
  try {
    const metadata = await plistDictionary(document);
    const localised = chosenLocalisation(plistMember(metadata, 'localization'));
    const restartWord = wordOf(plistMember(metadata, 'IFPkgFlagRestartAction'));
    const restart =
      (Object.hasOwn(restartWords, restartWord ?? '')
        ? restartWords[restartWord ?? '']
        : undefined) ?? null;
    return {
      title: wordOf(plistMember(localised, 'title')),
      version: wordOf(plistMember(metadata, 'CFBundleShortVersionString')),
      description: descriptionOf(plistMember(localised, 'description')),
      restart,
      restartWord,
      unknownRestart: restart === null ? restartWord : null,
      problem: null,
    };
  } catch (error) {
    if (!(error instanceof BrokenDocument)) throw error;
    const nothing = {
      title: null,
      version: null,
      description: null,
      restart: null,
      restartWord: null,
      unknownRestart: null,
    };
    return { ...nothing, problem: error.problem };
  }
}

function chosenLocalisation(languages: PlistValue | undefined): PlistValue | undefined {
  if (!isDictionary(languages)) return undefined;
  return languages.English ?? languages.en ?? Object.values(languages)[0];
}

/** HTML or RTF, as text or as bytes. */
function descriptionOf(value: PlistValue | undefined): string | null {
  const text =
    value instanceof Uint8Array
      ? new TextDecoder().decode(value)
      : typeof value === 'string'
        ? value
        : '';
  return (text.trimStart().startsWith('{\\rtf') ? rtfToText(text) : htmlToText(text)) || null;
}
