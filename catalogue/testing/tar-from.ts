/** Writes a tar archive of plain files with short names, for tests. */
export function tarFrom(files: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const entries = Object.entries(files).flatMap(([path, content]) => {
    const bytes = Buffer.from(content);
    return [
      createHeader(path, bytes.length),
      bytes,
      Buffer.alloc((512 - (bytes.length % 512)) % 512),
    ];
  });
  return Buffer.concat([...entries, Buffer.alloc(1024)]);
}

function createHeader(path: string, size: number): Buffer {
  const header = Buffer.alloc(512);
  header.write(path, 0);
  header.write('0000644\0', 100);
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  header.write('        0ustar\0', 148);
  header.write('00', 263);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}
