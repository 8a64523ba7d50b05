/**
 * A machine as people paste it, and the input of every judgement.
 *
 * Data flows through: bytes → inventoryText → readInventory → Machine → cataloguedRelease, with which the server looks up records
 * → judgePackages, judgeWindows, judgeMacRelease, judgeApplication → Verdict → planPackages, planWindows → packageCommand. All of
 * these are pure functions (docs/decisions/046-a-machine-is-judged-by-pure-functions.md).
 */

export type MachinePlatform = 'linux' | 'windows' | 'macos';

export interface Machine {
  /** Null when the input does not state it. */
  readonly platform: MachinePlatform | null;
  /** The ID of os-release (`almalinux`, `ol`, `opensuse-leap`), or the name of the Windows product as Windows prints it. */
  readonly distribution: string | null;
  /** VERSION_ID of os-release, or ProductVersion of macOS; null for Windows, whose build determines the release. */
  readonly release: string | null;
  /** As package managers of x86 and ARM name it: x86_64, aarch64, i686. */
  readonly architecture: string | null;
  /** The running kernel as `uname -r` prints it. */
  readonly kernel: string | null;
  /** Windows: 10.0.17763, followed by the revision when known. macOS: 23J423. */
  readonly build: string | null;
  readonly packages: readonly InstalledPackage[];
  /** Digits only, each once. */
  readonly kbs: readonly string[];
  /** Windows: the number of hotfixes that the text announces but does not list; absent when zero. */
  readonly unlistedKbs?: number;
  readonly applications: readonly InstalledApplication[];
  /** The system itself says whether a restart is due; absent when it does not. */
  readonly restartDue?: boolean;
}

export interface InstalledPackage {
  readonly format: 'rpm' | 'deb';
  readonly name: string;
  /** rpm: version-release without the epoch. deb: the complete version. */
  readonly version: string;
  /** rpm only: digits when the input states the epoch, including 0; null when its format omits epochs. */
  readonly epoch: string | null;
  readonly architecture: string | null;
  readonly module: InstalledModule;
  /** deb only: the source package, when the input states it; its version is null when it equals the binary's. */
  readonly source: { readonly name: string; readonly version: string | null } | null;
  /** False when the format prints removed packages without their state (plain `dpkg-query -W`). */
  readonly stateKnown: boolean;
  /** The tool cut the name or the version to the width of its column. */
  readonly cut?: true;
}

export type InstalledModule =
  | { readonly kind: 'none' }
  | { readonly kind: 'stream'; readonly name: string; readonly stream: string }
  /** The input has no module labels. */
  | { readonly kind: 'unstated' };

export interface InstalledApplication {
  readonly name: string;
  /** As winget names it: Git.Git. */
  readonly identifier: string | null;
  readonly version: string | null;
  /** A snap has the name of an application of other packagings, but versions of its own. */
  readonly packaging?: 'snap';
}

/** The result of reading a text. Every line that is not blank counts in `understood` or in `unreadableLines`. */
export interface InventoryReading {
  readonly machine: Machine;
  readonly understood: readonly { readonly format: InventoryFormat; readonly lines: number }[];
  /** The first unreadable lines, with texts shortened for display. */
  readonly unreadable: readonly UnreadableLine[];
  /** The number of all unreadable lines, including those beyond the list. */
  readonly unreadableLines: number;
  /** Problems of the text, each once. */
  readonly troubles: readonly InventoryTrouble[];
}

export type InventoryTrouble =
  /** The text describes more than one machine, or one with two releases; the first is used. */
  | 'severalMachines'
  | 'applicationSbom'
  | 'incompleteJson'
  /** The text ends within a line. */
  | 'cutOff'
  /** The text has bytes that are invalid in its encoding. */
  | 'encoding'
  /** A tool cut columns to the width of the screen. */
  | 'cutColumns'
  /** The text lists fewer hotfixes than it announces. */
  | 'unlistedHotfixes'
  /** The text has names or versions that no package can have. */
  | 'impossibleName'
  | 'tooManyLines'
  /** Lines have no known format. */
  | 'unknownLines';

export interface UnreadableLine {
  /** From 1. */
  readonly line: number;
  readonly text: string;
  readonly reason: string;
}

export const inventoryFormats = [
  'rpm',
  'dpkg-query',
  'dpkg -l',
  'apt list',
  'os-release',
  'lsb_release',
  'release file',
  'uname',
  'systeminfo',
  'ver',
  'Get-HotFix',
  'Get-ComputerInfo',
  'wmic qfe',
  'KB numbers',
  'sw_vers',
  'winget list',
  'winget export',
  'snap list',
  'restart due',
  'CycloneDX',
  'SPDX',
  'command line',
] as const;
export type InventoryFormat = (typeof inventoryFormats)[number];
