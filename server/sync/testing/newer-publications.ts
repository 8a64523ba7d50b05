/** What each vendor could publish next, by its source. */
import type { SourceKey } from '@patch/catalogue/definition/sources.ts';
import { newerDebian, newerPardus, newerUbuntu } from './newer-dpkg-publications.ts';
import type { NewerPublication } from './newer-publication.ts';
import { newerAlmalinux, newerCentos, newerOpensuse, newerOraclelinux, newerRockylinux } from './newer-rpm-publications.ts';
import { newerMacos, newerThirdparty, newerWindows } from './newer-software-publications.ts';
import type { VendorStage } from './vendor-stage.ts';

const publishers: Partial<Record<SourceKey, (stage: VendorStage) => Promise<NewerPublication>>> = {
  wsus: newerWindows,
  ubuntu: newerUbuntu,
  centOs: newerCentos,
  debian: newerDebian,
  pardus: newerPardus,
  mac: newerMacos,
  opensuse: newerOpensuse,
  oracleLinux: newerOraclelinux,
  thirdParty: newerThirdparty,
  almaLinux: newerAlmalinux,
  rockyLinux: newerRockylinux,
};

/** Null for a source whose vendor's forms are not known here: one that was added to the eleven. */
export async function newerPublication(stage: VendorStage): Promise<NewerPublication | null> {
  return (await publishers[stage.source]?.(stage)) ?? null;
}
