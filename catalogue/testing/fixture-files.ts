/** Files by their path below a folder that is laid out like a mirror: `host/path`. */
export type FixtureFiles = Readonly<Record<string, string | Uint8Array>>;
