/** Selects the mirror of a source: its own, that of the environment, or that of the configuration. */
import type { RunMirror } from '@patch/contract/run-message.ts';
import { withoutCredentials } from '../../platform/secrets/without-credentials.ts';

export interface MirrorSettings {
  /** Mirror of the source. */
  readonly source: string | null;
  /** FEED_MIRROR: an http(s) address or a folder. */
  readonly environment: string | null;
  /** Mirror of the configuration, which the environment overrides. */
  readonly configuration: string | null;
}

export interface EffectiveMirror extends RunMirror {
  /** Includes the password. Use it only for requests. */
  readonly secretAddress: string;
}

/** Returns null when documents come from the vendor itself. */
export function getEffectiveMirror(settings: MirrorSettings): EffectiveMirror | null {
  const { source, environment, configuration } = settings;
  if (source !== null) return createMirror(source, 'source');
  if (environment !== null) return createMirror(environment, 'environment');
  return configuration === null ? null : createMirror(configuration, 'configuration');
}

const createMirror = (secretAddress: string, setting: RunMirror['setting']): EffectiveMirror => ({
  secretAddress,
  address: withoutCredentials(secretAddress),
  setting,
});
