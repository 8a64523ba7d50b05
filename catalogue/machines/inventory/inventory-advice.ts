/** Advises on facts that an inventory lacks, and on the command whose output contains them. */
import type { InstalledPackage, InventoryReading, InventoryTrouble, Machine } from '../machine.ts';
import { distributionName } from './distribution-names.ts';

export interface InventoryAdvice {
  readonly kind: AdviceKind;
  /** A sentence for people. */
  readonly text: string;
  /** A command for the machine's shell; null when several would do. */
  readonly command: string | null;
}

export type AdviceKind =
  | InventoryTrouble
  | 'nothingRecognised'
  | 'noPackages'
  | 'noRelease'
  | 'releaseNotInCatalogue'
  | 'noSourcePackages'
  | 'removedPackagesListed'
  | 'noModuleLabels'
  | 'noArchitectures'
  | 'noEpochs'
  | 'noKernel'
  | 'noRevision'
  | 'noUpdates'
  | 'noProduct'
  | 'noEdition';

export const rpmQuery = String.raw`rpm -qa --qf '%{NAME} %{EPOCHNUM}:%{VERSION}-%{RELEASE} %{ARCH} %{MODULARITYLABEL}\n'`;
export const dpkgQuery =
  "dpkg-query -W -f='${Package} ${Version} ${Architecture} ${db:Status-Abbrev} ${source:Package} ${source:Version}\\n'";

/** Returns the advice by importance; empty when the inventory is complete. */
export function inventoryAdvice(
  reading: Pick<InventoryReading, 'machine' | 'troubles' | 'unreadableLines'>,
): readonly InventoryAdvice[] {
  return [...troubleAdvice(reading), ...machineAdvice(reading.machine)];
}

const troubleTexts: Readonly<Record<Exclude<InventoryTrouble, 'unknownLines'>, string>> = {
  severalMachines:
    'The text names more than one machine or release; the first one was used. Check one machine at a time.',
  applicationSbom:
    'The SBOM describes an application and not a machine, so it was left out. Provide an SBOM of the machine, with rpm or deb packages, or the output of rpm -qa or dpkg-query -W.',
  incompleteJson:
    'A JSON document in the text is incomplete or invalid, so it was left out. Provide the complete file.',
  cutOff:
    'The text ends within a line: the end may be missing and was not judged. Provide the complete output, as a file if it is long.',
  encoding:
    'Some bytes are invalid in the text’s encoding. Save the output as UTF-8 or UTF-16, and do not join files of different encodings.',
  cutColumns:
    'The tool cut names, identifiers or versions to the width of the screen: these rows are not judged. Provide its complete output as a file.',
  unlistedHotfixes:
    'The text announces more hotfixes than it lists. The unlisted ones are uncertain. Provide the complete list.',
  impossibleName:
    'Lines with invalid package names or versions were left out. Provide the output as the tool prints it.',
  tooManyLines:
    'Only the first 100,000 lines were read. Provide the output of one machine, without other text.',
};

const troubleOrder = [
  'applicationSbom',
  'severalMachines',
  'incompleteJson',
  'cutOff',
  'cutColumns',
  'unlistedHotfixes',
  'encoding',
  'impossibleName',
  'tooManyLines',
] as const;

function troubleCommand(trouble: InventoryTrouble, { platform }: Machine): string | null {
  if (trouble === 'unlistedHotfixes') return 'Get-HotFix';
  if (trouble !== 'cutColumns') return null;
  return platform === 'windows' ? 'winget export -o apps.json' : dpkgQuery;
}

/** Mentions lines of unknown format only when something else was read. */
function troubleAdvice({
  machine,
  troubles,
  unreadableLines,
}: Pick<InventoryReading, 'machine' | 'troubles' | 'unreadableLines'>): InventoryAdvice[] {
  const found = troubleOrder
    .filter((trouble) => troubles.includes(trouble))
    .map((trouble) => advice(trouble, troubleTexts[trouble], troubleCommand(trouble, machine)));
  if (!troubles.includes('unknownLines') || machine.platform === null) return found;
  const lines = unreadableLines === 1 ? '1 line was' : `${unreadableLines} lines were`;
  return [
    ...found,
    advice(
      'unknownLines',
      `${lines} not read, the others were. Provide the output of the tools, without other text.`,
      null,
    ),
  ];
}

function machineAdvice(machine: Machine): readonly InventoryAdvice[] {
  const { platform, packages, kbs, applications, build, release } = machine;
  if (platform === null && packages.length + kbs.length + applications.length === 0)
    return [nothingRecognised];
  if (platform === 'windows') return windowsAdvice(machine);
  if (platform === 'macos')
    return release === null || build === null
      ? [advice('noRelease', 'The text does not name version and build of macOS.', 'sw_vers')]
      : [];
  return linuxAdvice(machine);
}

const advice = (kind: AdviceKind, text: string, command: string | null): InventoryAdvice => ({
  kind,
  text,
  command,
});

const nothingRecognised = advice(
  'nothingRecognised',
  'Nothing in the text describes a machine. Paste the output of rpm -qa or dpkg-query -W with /etc/os-release, of systeminfo, of sw_vers, or an SBOM of the machine.',
  null,
);

function linuxAdvice(machine: Machine): readonly InventoryAdvice[] {
  const { packages, distribution, release, kernel } = machine;
  const found: InventoryAdvice[] = [];
  if (packages.length === 0)
    found.push(advice('noPackages', 'The text names no installed packages.', null));
  if (distribution === null || release === null)
    found.push(
      advice(
        'noRelease',
        distribution === null
          ? 'The text does not name the distribution and its release.'
          : `The text names ${distributionName(distribution)}, but not its release.`,
        'cat /etc/os-release',
      ),
    );
  found.push(...rpmAdvice(packages), ...debAdvice(packages));
  if (kernel === null && packages.some(({ name }) => /^(?:kernel|linux-image)(?:-|$)/.test(name)))
    found.push(
      advice(
        'noKernel',
        'The text does not name the running kernel, so a pending reboot is not noticed.',
        'uname -r',
      ),
    );
  return found;
}

function rpmAdvice(all: readonly InstalledPackage[]): readonly InventoryAdvice[] {
  const packages = all.filter(({ format }) => format === 'rpm');
  const found: InventoryAdvice[] = [];
  if (
    packages.some(
      ({ module, version }) => module.kind === 'unstated' && /[.+_-]module[_+.]/.test(version),
    )
  )
    found.push(
      advice(
        'noModuleLabels',
        'Packages of modules are listed without their streams; fixes of them stay uncertain.',
        rpmQuery,
      ),
    );
  if (packages.some(({ architecture }) => architecture === null))
    found.push(
      advice(
        'noArchitectures',
        'Packages are listed without their architecture; fixes that differ by architecture stay uncertain.',
        rpmQuery,
      ),
    );
  if (packages.some(({ epoch }) => epoch === null))
    found.push(
      advice('noEpochs', 'The list has no epochs; versions are compared without them.', rpmQuery),
    );
  return found;
}

function debAdvice(all: readonly InstalledPackage[]): readonly InventoryAdvice[] {
  const packages = all.filter(({ format }) => format === 'deb');
  const found: InventoryAdvice[] = [];
  if (packages.length > 0 && packages.every(({ source }) => source === null))
    found.push(
      advice(
        'noSourcePackages',
        'The list has no source packages; fixes that name only those are found where a package has the same name.',
        dpkgQuery,
      ),
    );
  if (packages.some(({ stateKnown }) => !stateKnown))
    found.push(
      advice('removedPackagesListed', 'The list may hold packages that were removed.', dpkgQuery),
    );
  return found;
}

function windowsAdvice({ build, kbs, distribution }: Machine): readonly InventoryAdvice[] {
  const found: InventoryAdvice[] = [];
  if (distribution === null)
    found.push(advice('noProduct', 'The text does not name the product of Windows.', 'systeminfo'));
  if (build?.split('.').length !== 4)
    found.push(advice('noRevision', 'The text does not name the revision of the build.', 'ver'));
  if (kbs.length === 0)
    found.push(advice('noUpdates', 'The text names no installed updates.', 'Get-HotFix'));
  return found;
}
