import { expect, test } from 'vitest';
import { MailTargets } from './mail-targets.ts';

const none = new MailTargets([]);
const server = 'mail.example.org';

test.each([25, 465, 587, 2525])('allows the mail port %d', (port) =>
  expect(none.checkPort({ server, port })).toBeNull(),
);

test.each([22, 80, 5432, 6379, 8080])('refuses port %d and names what is allowed', (port) => {
  expect(none.checkPort({ server, port })?.words).toBe(`Port ${port} is not a port for mail.`);
  expect(none.checkPort({ server, port })?.advice).toContain('25, 465, 587');
});

test.each(['127.0.0.1', '127.9.9.9', '0.0.0.0', '169.254.169.254', '224.0.0.1', '255.255.255.255'])(
  'refuses the address %s',
  (address) => {
    expect(none.checkAddress({ server, port: 25 }, address)?.words).toContain(
      'this machine or its own link',
    );
  },
);

test.each([
  '::1',
  '::',
  'fe80::1',
  'fe80::1%eth0',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:a9fe:a9fe',
])('refuses the IPv6 address %s', (address) =>
  expect(none.checkAddress({ server, port: 25 }, address)).not.toBeNull(),
);

test.each(['192.0.2.7', '10.1.2.3', '2001:db8::25', 'fd00::25'])(
  'allows the address %s',
  (address) => {
    expect(none.checkAddress({ server, port: 25 }, address)).toBeNull();
  },
);

test('allows what MAIL_TARGETS names, with one port or with all', () => {
  const some = new MailTargets(['LocalHost:2526', 'relay.example.org']);
  expect(some.checkPort({ server: 'localhost', port: 2526 })).toBeNull();
  expect(some.checkAddress({ server: 'localhost', port: 2526 }, '127.0.0.1')).toBeNull();
  expect(some.checkPort({ server: 'localhost', port: 2527 })).not.toBeNull();
  expect(some.checkAddress({ server: 'localhost', port: 25 }, '127.0.0.1')).not.toBeNull();
  expect(some.checkPort({ server: 'relay.example.org', port: 10_025 })).toBeNull();
});
