/** Identifiers of OSV records. */

/** Prefixes of the schema's version 1.8; identifiers with another one are written behind `x_`. */
const registeredPrefix =
  /^(?:ALSA|ALBA|ALEA|CVE|DLA|DSA|DTSA|ELA|LSN|openSUSE-SU|RHBA|RHEA|RHSA|RLSA|RXSA|SUSE-[SRFO]U|UBUNTU|USN)-/;

export const osvId = (identifier: string): string =>
  registeredPrefix.test(identifier) ? identifier : `x_${identifier}`;

/** Returns the catalogue's identifier for an id of OSV. */
export const toIdentifier = (id: string): string => id.replace(/^x_/, '');
