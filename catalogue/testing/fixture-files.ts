/** Files by path below a folder with the layout of a mirror: `host/path`. */
export type FixtureFiles = Readonly<Record<string, string | Uint8Array>>;
