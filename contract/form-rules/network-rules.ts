/** Rules for addresses of pages, hosts, machines and SNMP objects. */
import { z } from 'zod';
import { type FormRule, whenGiven } from './form-rule.ts';

const Address = z.url({ protocol: /^https?$/, hostname: z.regexes.hostname });
const Ip = z.union([z.ipv4(), z.ipv6()]);

/** Labels joined by dots, the last of letters or internationalized (xn--): example.org (RFC 1035, 2.3.1; RFC 5890). */
const domainName =
  /^(?=.{1,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?:[a-z]{2,63}|xn--[a-z\d-]{1,59})$/i;

export const url: FormRule<string | null | undefined> = whenGiven((value, field) =>
  Address.safeParse(value).success || isAddressOfIp(value) ? null : `${field} must be valid URL`,
);

function isAddressOfIp(value: string): boolean {
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) return false;
  return isIp(new URL(value).hostname.replace(/^\[(.*)\]$/, '$1'));
}

export const isIp = (value: string): boolean => Ip.safeParse(value).success;
export const ip: FormRule<string | null | undefined> = whenGiven((value, field) =>
  isIp(value) ? null : `${field} must be valid IP`,
);

export const ipV6: FormRule<string | null | undefined> = whenGiven((value, field) =>
  z.ipv6().safeParse(value).success ? null : `${field} must be valid IPv6`,
);

export const isDomain = (value: string): boolean => domainName.test(value);
export const domain: FormRule<string | null | undefined> = whenGiven((value, field) =>
  isDomain(value) ? null : `${field} must be valid domain`,
);

export const port: FormRule<number | string | null | undefined> = whenGiven((value, field) =>
  /^\d{1,5}$/.test(String(value)) && Number(value) >= 1 && Number(value) <= 65_535
    ? null
    : `${field} must be 65535 or less`,
);

/** Six pairs with the same separator. */
export const macAddress: FormRule<string | null | undefined> = whenGiven((value, field) =>
  /^[\da-f]{2}([:-])(?:[\da-f]{2}\1){4}[\da-f]{2}$/i.test(value) ? null : `${field} must be valid`,
);

/** A dot, then digits separated by dots: .1.3.6.1.4.1 */
export const systemOid: FormRule<string | null | undefined> = whenGiven((value, field) =>
  /^(?:\.\d+)+$/.test(value) ? null : `${field} must be valid`,
);

/** The last address is 1 to 255 above the first. */
export const ipRange: FormRule<{ readonly from: string; readonly to: string }> = ({ from, to }) => {
  const [first, last] = [ipv4Number(from), ipv4Number(to)];
  return first !== null && last !== null && last - first >= 1 && last - first <= 255
    ? null
    : 'IP Range must be valid';
};

function ipv4Number(address: string): number | null {
  if (!z.ipv4().safeParse(address).success) return null;
  return address.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0);
}
