/** Unexpected values that a caller can send: in addresses, as texts and numbers in a JSON body, and as wrong types. */

/** Exceeds the limit of a body. */
const oversizedText = 'x'.repeat(1_000_000);
/** Almost the limit of a body. */
const longText = 'y'.repeat(200_000);

/** Percent-encoded values, with halves of surrogate pairs as bytes that UTF-8 does not allow. */
export const oddInAddress: readonly string[] = [
  '%00',
  'a%00b',
  '%ED%A0%80',
  'a%ED%B0%80b',
  '%FF',
  '%C0%80',
  '%',
  '',
  '%20',
  '%25',
  '%5C',
  '_',
  '%27',
  '%22',
  '..%2F..%2Fetc%2Fpasswd',
  '%E2%80%AE%E2%81%A6%E2%80%8B%EF%BB%BF',
  '%EF%BF%BF',
  '%C4%B0',
  '%0D%0AX-Odd%3A%201',
  '__proto__',
  'constructor',
  'toString',
  'NaN',
  'Infinity',
  '1e308',
  '1e999',
  '-1',
  '-0',
  '0.5',
  '0x10',
  '%EF%BC%91',
  '9007199254740992',
  '999999999999999',
  '9223372036854775808',
  '18446744073709551616',
  '%5B%5D',
  '%7B%7D',
  'null',
  'true',
  oversizedText,
];

/** Raw JSON texts, so that JSON.stringify cannot correct them. */
export const oddTexts: readonly string[] = [
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"a\\udc00b"',
  '"\\udc00\\ud800"',
  '"\\u202e\\u2066\\u200b\\ufeff\\u00ad"',
  '"\\uffff"',
  '"\\u0130"',
  '"\\r\\nX-Odd: 1"',
  '""',
  '" "',
  '"%"',
  '"_"',
  '"\\\\"',
  '"\'"',
  '"\\""',
  '"../../etc/passwd"',
  '"__proto__"',
  '"constructor"',
  `"${longText}"`,
  `"${oversizedText}"`,
];

export const oddNumbers: readonly string[] = [
  '-1',
  '-0',
  '0',
  '0.5',
  '1e-320',
  '2147483648',
  '9007199254740991',
  '9007199254740992',
  '9223372036854775808',
  '18446744073709551616',
  '1e308',
  '-1e308',
  '1e999',
  '"NaN"',
  '"1"',
];

export const wrongTypes: readonly string[] = [
  'null',
  'true',
  '[]',
  '["a\\u0000b"]',
  '{}',
  '{"\\u0000":"\\ud800"}',
  '{"__proto__":{"constructor":1}}',
  `${'['.repeat(40_000)}${']'.repeat(40_000)}`,
  `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
];

/** Names of fields, as JSON. */
export const oddNames: readonly string[] = [
  '""',
  '"\\u0000"',
  '"\\ud800"',
  '"\\u202e"',
  '"__proto__"',
  '"constructor"',
  `"${longText}"`,
];

/** Values that HTTP allows in a header, one byte per character. A NUL or a line break never reaches a handler. */
export const oddHeaders: readonly string[] = [
  '\xed\xa0\x80\xff%00"',
  'x'.repeat(15_000),
  '',
  ',,,;;;==',
  '*',
  '-1',
  '18446744073709551616',
  '\xe2\x80\xae',
  '127.0.0.1, ::1, [::1%eth0], 999.999.999.999',
];

export const oddFiles: readonly Buffer[] = [
  Buffer.alloc(0),
  Buffer.alloc(1_000_000),
  // A PNG of 4,294,967,295 pixels each way.
  Buffer.from(
    '\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff\xff\xff\xff\xff\xff\xff\xff\x08\x06\0\0\0',
    'latin1',
  ),
  Buffer.from('\xff\xd8\xff\xe0\0\x10JFIF\0', 'latin1'),
  Buffer.from('PK\x03\x04\xff\xff\xff\xff', 'latin1'),
  Buffer.alloc(2_000_000, 'x'),
];
