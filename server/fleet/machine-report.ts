/** One machine as a client reports it: read, split into parts, and how the list shows it. Pure. */
import { hash } from 'node:crypto';
import { readInventory } from '@patch/catalogue/machines/inventory/read-inventory.ts';
import { cataloguedRelease } from '@patch/catalogue/machines/judgement/catalogued-release.ts';
import { endOfLife } from '@patch/catalogue/machines/judgement/end-of-life.ts';
import { rebootPending } from '@patch/catalogue/machines/judgement/reboot-pending.ts';
import type { InventoryReading, Machine } from '@patch/catalogue/machines/machine.ts';
import type { ReportedMachine } from '@patch/contract/machine-report-endpoints.ts';
import { productVersion } from '../platform/http/product-version.ts';
import type { IntakeMemory } from './intake-memory.ts';
import type { HashedPart } from './inventory-part-store.ts';
import { packageSketch } from './machine-identity.ts';

export interface MachineReport {
  readonly key: string;
  readonly name: string;
  readonly facts: MachineFacts;
  readonly parts: readonly HashedPart[];
  /** Of the names of its packages. */
  readonly sketch: readonly number[];
  /** Lines of a text that could not be read. */
  readonly unreadableLines: number;
}

export type ReadReport =
  | { readonly kind: 'machine'; readonly report: MachineReport }
  | { readonly kind: 'refused'; readonly key: string; readonly reason: string };

/** Another version may read the same text otherwise. Raise it with a change of how a report is read within a version. */
const readingRules = `${productVersion} 2`;

/** Of a report as it was sent: an equal one need not be read. */
export function sentHash({ text, ...facts }: ReportedMachine): string {
  return hashOf(`${readingRules}\n${JSON.stringify(facts)}\n${text ?? ''}`);
}

const hashOf = (text: string) => sha256(text).slice(0, 22);
const sha256 = (text: string) => hash('sha256', text, 'base64url');

export function readReport(reported: ReportedMachine, memory: IntakeMemory): ReadReport {
  const { key, name } = reported;
  const { machine, unreadableLines } = readMachine(reported, memory);
  if (machine.packages.length === 0 && machine.build === null && machine.release === null)
    return {
      kind: 'refused',
      key,
      reason:
        'Nothing of a machine was recognised. Send what one of these prints: rpm -qa, dpkg-query -W, systeminfo, sw_vers; with it /etc/os-release on Linux.',
    };
  const parts = memory.hashedParts(machine);
  const facts = factsOf({ key, name, machine });
  return {
    kind: 'machine',
    report: { key, name, facts, parts, sketch: packageSketch(machine), unreadableLines },
  };
}

/** Of everything that is stored of the machine. `parts`: as encodeNumbers makes them of the numbers of its parts. */
export const reportHash = ({ facts }: MachineReport, parts: Buffer): string =>
  hashOf(`${JSON.stringify(facts)} ${parts.toString('base64')}`);

/** Of a text, or of what is stated. */
export function readMachine(
  reported: ReportedMachine,
  memory: IntakeMemory | null = null,
): Pick<InventoryReading, 'machine' | 'unreadableLines'> {
  return reported.text === undefined
    ? { machine: machineOf(reported), unreadableLines: 0 }
    : readInventory(reported.text, memory?.lines ?? null);
}

function machineOf(reported: ReportedMachine): Machine {
  return {
    platform: reported.platform ?? (reported.packages === undefined ? null : 'linux'),
    distribution: reported.distribution ?? null,
    release: reported.release ?? null,
    architecture: reported.architecture ?? null,
    kernel: reported.kernel ?? null,
    build: reported.build ?? null,
    packages: (reported.packages ?? []).map((one) => ({
      format: one.format,
      name: one.name,
      version: one.version,
      epoch: one.epoch ?? null,
      architecture: one.architecture ?? null,
      module:
        one.module === undefined
          ? { kind: 'unstated' }
          : one.module === null
            ? { kind: 'none' }
            : { kind: 'stream', ...one.module },
      source:
        one.source === undefined
          ? null
          : { name: one.source.name, version: one.source.version ?? null },
      stateKnown: true,
    })),
    kbs: [...new Set((reported.kbs ?? []).map((kb) => kb.replace(/^KB/i, '').replace(/^0+/, '')))],
    applications: (reported.applications ?? []).map((one) => ({
      name: one.name,
      identifier: one.identifier ?? null,
      version: one.version ?? null,
    })),
  };
}

interface ReadMachine {
  readonly key: string;
  readonly name: string;
  readonly machine: Machine;
}

export type MachineFacts = ReturnType<typeof factsOf>;

/** Values of the fields of the list of machines that follow from the inventory. */
function factsOf({ key, name, machine }: ReadMachine) {
  const { platform, architecture, build, kernel, packages, kbs, applications } = machine;
  return {
    name,
    machineKey: key,
    platform: platform ?? (packages.length > 0 ? 'linux' : null),
    release: releaseShown(machine),
    architecture,
    build,
    kernel,
    rebootPending: platform === 'windows' || platform === 'macos' ? null : rebootPending(machine),
    endOfLife: endOfLife(machine),
    packageCount: packages.length + kbs.length + applications.length,
  };
}

/** AlmaLinux 8.9, Microsoft Windows Server 2022 Standard, macOS 14.7.1; null where nothing tells it. */
function releaseShown(machine: Machine): string | null {
  const { platform, distribution, release } = machine;
  if (platform === 'windows') return distribution ?? 'Windows';
  if (platform === 'macos') return release === null ? 'macOS' : `macOS ${release}`;
  const label = cataloguedRelease(machine)?.names[0]?.replace(/ [^ ]+$/, '') ?? distribution;
  if (label === null) return release;
  return release === null ? label : `${label} ${release}`;
}
