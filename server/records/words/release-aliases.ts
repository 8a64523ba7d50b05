/** Names of releases that people type in place of the vendors' numbers. */
import { fallbackVersions } from '@patch/catalogue/vendors/debian/debian-releases.ts';
import { versionsByCodename } from '@patch/catalogue/vendors/ubuntu/ubuntu-releases.ts';

/** `debian 12` by `bookworm`, `ubuntu 22.04` by `jammy`. */
export const codeNames: ReadonlyMap<string, string> = new Map([
  ...Array.from(fallbackVersions, ([name, version]): [string, string] => [
    name,
    `debian ${version}`,
  ]),
  ...Object.entries(versionsByCodename).map(([name, version]): [string, string] => [
    name,
    `ubuntu ${version}`,
  ]),
]);

/** Distributions that rebuild Red Hat Enterprise Linux under its version: who types `el9` has one of them. */
export const rebuilds: readonly string[] = ['almalinux', 'rocky linux', 'oracle linux', 'centos'];
