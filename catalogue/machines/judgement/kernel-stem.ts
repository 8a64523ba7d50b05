/** Kernel packages of Debian and Ubuntu: an update is a package of a new name. */

/**
 * The name without the number of the ABI: `linux-image-5.10.0-#-amd64` of `linux-image-5.10.0-8-amd64`. The version stays in it, for
 * Ubuntu supports several kernels of one release side by side. Null for what is no such package.
 */
export function kernelStem(name: string): string | null {
  const [, before, behind] =
    /^(linux-[a-z-]{1,60}-\d{1,3}(?:\.\d{1,3}){1,2})-\d{1,5}(?=$|[-.])(.*)$/.exec(name) ?? [];
  return before === undefined ? null : `${before}-#${behind ?? ''}`;
}
