/** Reads one reported machine, splits it into parts, and derives its columns of the list. Pure. */
import { hash } from 'node:crypto';
import { readInventory } from '@patch/catalogue/machines/inventory/read-inventory.ts';
import {
  cataloguedRelease,
  machineOfRelease,
} from '@patch/catalogue/machines/judgement/catalogued-release.ts';
import { endOfLife } from '@patch/catalogue/machines/judgement/end-of-life.ts';
import { rebootPending } from '@patch/catalogue/machines/judgement/reboot-pending.ts';
import type { InventoryReading, Machine } from '@patch/catalogue/machines/machine.ts';
import type { ReportedMachine } from '@patch/contract/fleet/machine-report-endpoints.ts';
import { productVersion } from '../../platform/http/product-version.ts';
import { packageSketch } from '../machines/machine-identity-store.ts';
import { joinTags } from '../machines/machine-tags.ts';
import type { HashedPart } from '../parts/inventory-part-store.ts';
import type { IntakeMemory } from './intake-memory.ts';

export interface MachineReport {
  readonly key: string;
  readonly name: string;
  readonly facts: MachineFacts;
  readonly parts: readonly HashedPart[];
  /** The sketch of its package names. */
  readonly sketch: readonly number[];
  /** The number of lines of a text that could not be read. */
  readonly unreadableLines: number;
}

export type ReadReport =
  | { readonly kind: 'machine'; readonly report: MachineReport }
  | { readonly kind: 'refused'; readonly key: string; readonly reason: string };

/** Versions may read the same text differently. Increment the number when reading changes within a version. */
const readingRules = `${productVersion} 5`;

/** Returns the hash of a report as sent: an equal one need not be read. */
export function sentHash({ text, ...facts }: ReportedMachine): string {
  return shortHash(`${readingRules}\n${JSON.stringify(facts)}\n${text ?? ''}`);
}

const shortHash = (text: string) => sha256(text).slice(0, 22);
const sha256 = (text: string) => hash('sha256', text, 'base64url');

export function readReport(reported: ReportedMachine, memory: IntakeMemory): ReadReport {
  const { key, name, tags = [] } = reported;
  const { machine, unreadableLines } = readMachine(reported, memory);
  if (machine.packages.length === 0 && machine.build === null && machine.release === null)
    return {
      kind: 'refused',
      key,
      reason:
        'The text was not recognised as an inventory. Send what one of these prints: rpm -qa, dpkg-query -W, systeminfo, sw_vers; with it /etc/os-release on Linux.',
    };
  const parts = memory.hashedParts(machine);
  const facts = toFacts({ key, name, tags, machine });
  return {
    kind: 'machine',
    report: { key, name, facts, parts, sketch: packageSketch(machine), unreadableLines },
  };
}

/**
 * Returns the hash of everything stored of the machine.
 * @param parts The ids of its parts as `encodeNumbers` encodes them.
 */
export const reportHash = ({ facts }: MachineReport, parts: Buffer): string =>
  shortHash(`${JSON.stringify(facts)} ${parts.toString('base64')}`);

/** Reads the text of a report, or its stated facts. */
export function readMachine(
  reported: ReportedMachine,
  memory: IntakeMemory | null = null,
): Pick<InventoryReading, 'machine' | 'unreadableLines'> {
  return reported.text === undefined
    ? { machine: toMachine(reported), unreadableLines: 0 }
    : readInventory(reported.text, memory?.lines ?? null);
}

function toMachine(reported: ReportedMachine): Machine {
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
  readonly tags: readonly string[];
  readonly machine: Machine;
}

export type MachineFacts = ReturnType<typeof toFacts>;

/** Returns the values of the list of machines that follow from the inventory. */
function toFacts({ key, name, tags, machine }: ReadMachine) {
  const { platform, architecture, build, kernel, packages, kbs, applications } = machine;
  return {
    name,
    machineKey: key,
    tags: joinTags(tags),
    platform: platform ?? (packages.length > 0 ? 'linux' : null),
    release: releaseShown(machine),
    architecture,
    build,
    kernel,
    rebootPending: rebootPending(machine),
    endOfLife: endOfLife(machine),
    packageCount: packages.length + kbs.length + applications.length,
  };
}

/**
 * Returns what the columns of the list say of the system of a machine without a part of it: of Linux without packages. Of a release
 * without records the distribution alone is known.
 */
export function systemShown({
  platform,
  release,
}: Pick<Machine, 'platform' | 'release'>): Pick<Machine, 'platform' | 'distribution' | 'release'> {
  const stated = release === null || /^\d/.test(release) ? null : release;
  const known = stated === null ? null : machineOfRelease(stated);
  return {
    platform,
    distribution: known?.distribution ?? stated,
    release: known?.release ?? null,
  };
}

/** Returns AlmaLinux 8.9, Microsoft Windows Server 2022 Standard, macOS 14.7.1; null when unknown. */
function releaseShown(machine: Machine): string | null {
  const { platform, distribution, release } = machine;
  if (platform === 'windows') return distribution ?? 'Windows';
  if (platform === 'macos') return release === null ? 'macOS' : `macOS ${release}`;
  const label = cataloguedRelease(machine)?.names[0]?.replace(/ [^ ]+$/, '') ?? distribution;
  if (label === null) return release;
  return release === null ? label : `${label} ${release}`;
}
