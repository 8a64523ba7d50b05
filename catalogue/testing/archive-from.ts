/** Archives of zeros, by 7-Zip, which is among the packages: the machine may lack tools for the formats. */
import sevenZip from '7z-wasm';

/** One file of that name, as many MiB of zeros long. */
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
