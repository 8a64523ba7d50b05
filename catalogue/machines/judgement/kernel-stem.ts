/** Kernel packages of Debian and Ubuntu, where an update is a package with a new name. */

/**
 * Removes the ABI number from a name: `linux-image-5.10.0-8-amd64` becomes `linux-image-5.10.0-#-amd64`. The version stays in it,
 * because Ubuntu supports several kernels of one release side by side. Returns null for other packages.
 */
export function kernelStem(name: string): string | null {
  const [, before, behind] =
    /^(linux-[a-z-]{1,60}-\d{1,3}(?:\.\d{1,3}){1,2})-\d{1,5}(?=$|[-.])(.*)$/.exec(name) ?? [];
  return before === undefined ? null : `${before}-#${behind ?? ''}`;
}
