/**
 * A machine as people paste it, and what each judgement about it is made of.
 *
 * The path of the data: bytes → inventoryText → readInventory → Machine → cataloguedRelease, with which the server looks up records →
 * judgePackages, judgeWindows, judgeMacRelease, judgeApplication → Verdict → planPackages, planWindows → packageCommand. Everything here
 * is pure (docs/decisions/046-a-machine-is-judged-by-pure-functions.md).
 */

export type MachinePlatform = 'linux' | 'windows' | 'macos';

export interface Machine {
  /** Null where nothing in the input tells it. */
  readonly platform: MachinePlatform | null;
  /** The ID of os-release (`almalinux`, `ol`, `opensuse-leap`), or the name of the Windows product as Windows prints it. */
  readonly distribution: string | null;
  /** VERSION_ID of os-release, or ProductVersion of macOS; null for Windows, whose build tells the release. */
  readonly release: string | null;
  /** As package managers of x86 and ARM name it: x86_64, aarch64, i686. */
  readonly architecture: string | null;
  /** The running kernel as `uname -r` prints it. */
  readonly kernel: string | null;
  /** Windows: 10.0.17763, with the revision behind it where it is known. macOS: 23J423. */
  readonly build: string | null;
  readonly packages: readonly InstalledPackage[];
  /** Digits only, each once. */
  readonly kbs: readonly string[];
  /** Windows: how many hotfixes the text announces and does not list; absent where none. */
  readonly unlistedKbs?: number;
  readonly applications: readonly InstalledApplication[];
}

export interface InstalledPackage {
  readonly format: 'rpm' | 'deb';
  readonly name: string;
  /** rpm: version-release without the epoch. deb: the whole version. */
  readonly version: string;
  /** rpm only: digits where the input states the epoch, 0 included; null where its format leaves epochs out. */
  readonly epoch: string | null;
  readonly architecture: string | null;
  readonly module: InstalledModule;
  /** deb only: the source package, where the input names it; its version is null where it is the binary's own. */
  readonly source: { readonly name: string; readonly version: string | null } | null;
  /** False where the format prints removed packages without saying so (plain `dpkg-query -W`). */
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
}

/** What a text was understood as. Every line that is not blank counts in `understood` or in `unreadableLines`. */
export interface InventoryReading {
  readonly machine: Machine;
  readonly understood: readonly { readonly format: InventoryFormat; readonly lines: number }[];
  /** The first of them, with texts cut to a length that can be shown. */
  readonly unreadable: readonly UnreadableLine[];
  /** All of them, with those beyond the list. */
  readonly unreadableLines: number;
  /** What is wrong with the text as a whole, each once. */
  readonly troubles: readonly InventoryTrouble[];
}

export type InventoryTrouble =
  /** More than one machine, or one with two releases: the first is read. */
  | 'severalMachines'
  | 'applicationSbom'
  | 'incompleteJson'
  /** It ends within a line. */
  | 'cutOff'
  /** Bytes that are no letters of its encoding. */
  | 'encoding'
  /** Columns that a tool cut to the width of the screen. */
  | 'cutColumns'
  /** Fewer hotfixes than the text announces. */
  | 'unlistedHotfixes'
  /** Names or versions that no package can have. */
  | 'impossibleName'
  | 'tooManyLines'
  /** In no known format. */
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
  'CycloneDX',
  'SPDX',
  'command line',
] as const;
export type InventoryFormat = (typeof inventoryFormats)[number];
