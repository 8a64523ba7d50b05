/** The package has no types. Its own `decode` is built from the members with an underscore; its version is pinned. */
declare module 'seek-bzip' {
  interface Input {
    readByte(): number;
    read(target: Uint8Array, offset: number, length: number): number;
  }
  interface Output {
    writeByte(byte: number): void;
  }
  export default class Bunzip {
    constructor(input: Input, output: Output);
    readonly reader: { read(bits: number): number };
    readonly streamCRC: number;
    /** Reads the head of the next block; false at the end of the stream. */
    _init_block(): boolean;
    _read_bunzip(): void;
    /** Reads the head of a stream. */
    _start_bunzip(input: Input, output: Output): void;
  }
}
