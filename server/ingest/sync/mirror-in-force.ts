/** Which mirror a source is read from now: its own, the environment's, or that of the configuration. */
import type { RunMirror } from '@patch/contract/run-message.ts';
import { withoutCredentials } from '../../platform/secrets/without-credentials.ts';

export interface MirrorSettings {
  /** Of the source alone. */
  readonly ofSource: string | null;
  /** FEED_MIRROR: an http(s) address or a folder. */
  readonly ofEnvironment: string | null;
  /** Of the configuration, which the environment overrules. */
  readonly ofConfiguration: string | null;
}

export interface MirrorInForce extends RunMirror {
  /** With its password: only to ask with. */
  readonly secretAddress: string;
}

/** Null: documents come from the vendor itself. */
export function mirrorInForce(settings: MirrorSettings): MirrorInForce | null {
  const { ofSource, ofEnvironment, ofConfiguration } = settings;
  if (ofSource !== null) return mirrorOf(ofSource, 'source');
  if (ofEnvironment !== null) return mirrorOf(ofEnvironment, 'environment');
  return ofConfiguration === null ? null : mirrorOf(ofConfiguration, 'configuration');
}

const mirrorOf = (secretAddress: string, setting: RunMirror['setting']): MirrorInForce => ({
  secretAddress,
  address: withoutCredentials(secretAddress),
  setting,
});
