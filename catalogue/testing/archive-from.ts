/** Creates archives of zeros with 7-Zip from the packages, because the machine may lack tools for the formats. */
import sevenZip from '7z-wasm';

/** Contains one file with that name and as many MiB of zeros. */
export async function archiveOfZeros(
  type: 'xz' | 'bzip2' | 'zip',
  megabytes: number,
  name = 'zeros',
): Promise<Buffer> {
  const program = await sevenZip.default({
    print: () => undefined,
    printErr: () => undefined,
  });
  const { FS } = program;
  FS.writeFile(`/${name}`, new Uint8Array(megabytes * 1024 ** 2));
  program.callMain(['a', `-t${type}`, '-mx=1', '/bomb', `/${name}`]);
  const made = FS.readdir('/').find((file) => file.startsWith('bomb'));
  return Buffer.from(FS.readFile(`/${made}`));
}
