/** Names of Ubuntu's releases, and of the suites of its archive, by code name. */

/** From distro-info-data; notices state the versions of newer releases. */
export const versionsByCodename: Readonly<Record<string, string>> = {
  warty: '4.10',
  hoary: '5.04',
  breezy: '5.10',
  dapper: '6.06',
  edgy: '6.10',
  feisty: '7.04',
  gutsy: '7.10',
  hardy: '8.04',
  intrepid: '8.10',
  jaunty: '9.04',
  karmic: '9.10',
  lucid: '10.04',
  maverick: '10.10',
  natty: '11.04',
  oneiric: '11.10',
  precise: '12.04',
  quantal: '12.10',
  raring: '13.04',
  saucy: '13.10',
  trusty: '14.04',
  utopic: '14.10',
  vivid: '15.04',
  wily: '15.10',
  xenial: '16.04',
  yakkety: '16.10',
  zesty: '17.04',
  artful: '17.10',
  bionic: '18.04',
  cosmic: '18.10',
  disco: '19.04',
  eoan: '19.10',
  focal: '20.04',
  groovy: '20.10',
  hirsute: '21.04',
  impish: '21.10',
  jammy: '22.04',
  kinetic: '22.10',
  lunar: '23.04',
  mantic: '23.10',
  noble: '24.04',
  oracular: '24.10',
  plucky: '25.04',
  questing: '25.10',
  resolute: '26.04',
  stonking: '26.10',
};

/** Tells whether a code name has a version, stated by the notice or in the table. */
export function isKnownRelease(codename: string, version: string | null): boolean {
  return version !== null || Object.hasOwn(versionsByCodename, codename);
}

/**
 * Returns 'Ubuntu 22.04 LTS'. LTS follows from the version: the vendor's `support_tag` changes from LTS to ESM to nothing over the years,
 * and would change old notices.
 */
export function formatUbuntuReleaseName(codename: string, version: string | null): string {
  const known =
    version ??
    (Object.hasOwn(versionsByCodename, codename) ? versionsByCodename[codename] : undefined);
  if (known === undefined) return `Ubuntu ${codename}`;
  return isLts(known) ? `Ubuntu ${known} LTS` : `Ubuntu ${known}`;
}

/** LTS releases come in April of every even year since 2008; the first came in June 2006. */
export function isLts(version: string): boolean {
  const [, year, month] = /^(\d+)\.(\d\d)$/.exec(version) ?? [];
  return version === '6.06' || (month === '04' && Number(year) >= 8 && Number(year) % 2 === 0);
}

/** The pockets of a release: its suites are jammy, jammy-security, jammy-updates … */
const pocketNames = ['security', 'updates', 'backports', 'proposed'];

/** The release of each suite of the archive: Ubuntu 22.04 LTS for jammy and for jammy-updates. */
export const releasesBySuite: Readonly<Record<string, string>> = nameSuites((release) => release);

/** The names of suites, with the pocket as a detail of the release: `Ubuntu 22.04 LTS (updates)` for jammy-updates. */
export const namesBySuite: Readonly<Record<string, string>> = nameSuites((release, pocket) =>
  pocket === null ? release : `${release} (${pocket})`,
);

function nameSuites(
  nameSuite: (release: string, pocket: string | null) => string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.keys(versionsByCodename).flatMap((codename) => {
      const release = formatUbuntuReleaseName(codename, null);
      return [
        [codename, nameSuite(release, null)],
        ...pocketNames.map((pocket) => [`${codename}-${pocket}`, nameSuite(release, pocket)]),
      ];
    }),
  );
}
