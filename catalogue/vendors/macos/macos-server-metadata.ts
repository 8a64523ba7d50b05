/** Parser of .smd files, Apple's server metadata of a product, read for values that the distribution lacks. */
import type { Document } from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/create-document.ts';
import {
  isDictionary,
  type PlistValue,
  plistDictionary,
  plistMember,
} from '../../parsers/plist-values.ts';
import { htmlToText } from '../../schemas/html-to-text.ts';
import { toWord } from '../../values/vendor-words.ts';
import type { Restart } from './macos-distribution.ts';
import { rtfToText } from './rtf-to-text.ts';

export interface ServerMetadata {
  readonly title: string | null;
  readonly version: string | null;
  readonly description: string | null;
  readonly restart: Restart | null;
  /** Apple's word; also in `unknownRestart` when it is unknown. */
  readonly restartWord: string | null;
  readonly unknownRestart: string | null;
  /** Why it could not be read; null when it was read. */
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

/** @throws BrokenDocument when the bytes are not text: they were damaged in transfer */
export async function readServerMetadata(document: Document): Promise<ServerMetadata> {
  await document.text();
  try {
    const metadata = await plistDictionary(document);
    const localised = chooseLocalisation(plistMember(metadata, 'localization'));
    const restartWord = toWord(plistMember(metadata, 'IFPkgFlagRestartAction'));
    const restart =
      (Object.hasOwn(restartWords, restartWord ?? '')
        ? restartWords[restartWord ?? '']
        : undefined) ?? null;
    return {
      title: toWord(plistMember(localised, 'title')),
      version: toWord(plistMember(metadata, 'CFBundleShortVersionString')),
      description: toDescription(plistMember(localised, 'description')),
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

function chooseLocalisation(languages: PlistValue | undefined): PlistValue | undefined {
  if (!isDictionary(languages)) return undefined;
  return languages.English ?? languages.en ?? Object.values(languages)[0];
}

/** Converts HTML or RTF, given as text or as bytes. */
function toDescription(value: PlistValue | undefined): string | null {
  const text =
    value instanceof Uint8Array
      ? new TextDecoder().decode(value)
      : typeof value === 'string'
        ? value
        : '';
  return (text.trimStart().startsWith('{\\rtf') ? rtfToText(text) : htmlToText(text)) || null;
}
