import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import { choice, type Field, identifier, link, text } from '@patch/catalogue/definition/fields.ts';
import { severities } from '@patch/catalogue/schemas/severities.ts';
import type { WireValue } from '@patch/contract/base/row-schema.ts';
import { render, screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { person } from '../testing/person.ts';
import { Cell } from './cell-of-kind.tsx';
import { Fact } from './fact-of-kind.tsx';
import { ReaderZone } from './reader-zone.ts';

const markup = '<img src=x onerror=alert(1)> & <b>bold</b>';
const released = Date.UTC(2024, 2, 12, 17);

const samples: Record<
  FieldKind,
  { readonly value: WireValue; readonly cell: string; readonly fact: string }
> = {
  text: { value: markup, cell: markup, fact: markup },
  prose: { value: `one\n${markup}`, cell: `one\n${markup}`, fact: `one\n${markup}` },
  identifier: { value: 'KB5034441', cell: 'KB5034441', fact: 'KB5034441' },
  identifiers: {
    value: ['CVE-1', 'CVE-2', 'CVE-3'],
    cell: 'CVE-1, CVE-2+1',
    fact: 'CVE-1CVE-2CVE-3',
  },
  tags: { value: ['x86_64', 'noarch'], cell: 'x86_64, noarch', fact: 'x86_64noarch' },
  choice: { value: 'Hotfix', cell: 'Hotfix', fact: 'Hotfix' },
  number: { value: 12345, cell: '12345', fact: '12345' },
  decimal: { value: 0.94321, cell: '0.94321', fact: '0.94321' },
  size: { value: 1_572_864, cell: '1.50 MB', fact: '1.50 MB' },
  date: { value: released, cell: 'Mar 12, 2024', fact: 'Tue, Mar 12, 2024 05:00 PM' },
  flag: { value: false, cell: 'No', fact: 'No' },
  link: {
    value: 'https://errata.almalinux.org/9/x.html',
    cell: 'errata.almalinux.org',
    fact: 'errata.almalinux.org/9/x.html',
  },
};

const renderValue = (field: Field<FieldKind, unknown>, value: WireValue, View = Cell) =>
  render(
    <ReaderZone value="UTC">
      <View field={field} value={value} />
    </ReaderZone>,
  ).container;

describe.each(Object.entries(samples))('%s', (kind, { value, cell, fact }) => {
  const field: Field<FieldKind, unknown> = { kind: kind as FieldKind, label: 'Field' };

  test('is shown in a row and in a record', () => {
    expect(renderValue(field, value).textContent).toContain(cell);
    expect(renderValue(field, value, Fact).textContent).toContain(fact);
  });

  test('shows a dash, read out as None, for an empty value', () => {
    for (const empty of [null, undefined, '', []])
      expect(renderValue(field, empty).textContent).toBe('—None');
  });
});

test.each([
  ['text', text('Deployment', { words: { HA: 'High availability' } })],
  ['choice', choice('Deployment', ['HA'], { words: { HA: 'High availability' } })],
])('shows the label of a %s value, or the value without a label', (_, field) => {
  for (const View of [Cell, Fact]) {
    expect(renderValue(field, 'HA', View).textContent).toBe('High availability');
    for (const unlabelled of ['ha', 'constructor'])
      expect(renderValue(field, unlabelled, View).textContent).toBe(unlabelled);
  }
});

test("shows markup in a vendor's text as text", () => {
  const field: Field<FieldKind, unknown> = { kind: 'prose', label: 'Description' };
  for (const View of [Cell, Fact])
    expect(renderValue(field, markup, View).querySelector('img, b')).toBeNull();
});

test('links http addresses without a referrer, and no others', () => {
  const anchor = renderValue(link('Advisory'), 'https://example.org/a').querySelector('a');
  expect(anchor?.rel).toBe('noopener noreferrer');
  expect(anchor?.target).toBe('_blank');
  for (const View of [Cell, Fact]) {
    const unsafe = renderValue(link('Advisory'), 'javascript:alert(1)', View);
    expect(unsafe.querySelector('a')).toBeNull();
    expect(unsafe.textContent).toContain('javascript:alert(1)');
  }
});

test("links an identifier to the vendor's page and can copy it", () => {
  const field = identifier('CVE', { page: 'https://www.cve.org/CVERecord?id={}' });
  const cell = renderValue(field, 'CVE-2024-3094');
  expect(cell.querySelector('a')?.href).toBe('https://www.cve.org/CVERecord?id=CVE-2024-3094');
  expect(screen.getByRole('button', { name: 'Copy CVE' })).toBeTruthy();
});

test('shows the exact time and zone of a date in its tip', () => {
  expect(
    renderValue({ kind: 'date', label: 'Released' }, released).querySelector('time')?.dataset[
      'tip'
    ],
  ).toBe('Tue, Mar 12, 2024 05:00 PM (UTC)');
});

test('shows a severity with an icon, also one that only the vendor uses', () => {
  const field = choice('Severity', severities, { look: 'severity' });
  for (const word of ['Critical', 'Very bad']) {
    const cell = renderValue(field, word);
    expect(cell.textContent).toBe(word);
    expect(cell.querySelector('svg')).not.toBeNull();
  }
});

test('opens all names with a click on their count', async () => {
  renderValue({ kind: 'identifiers', label: 'CVEs' }, ['CVE-1', 'CVE-2', 'CVE-3', 'CVE-4']);
  await person.click(screen.getByRole('button', { name: '+2 more, show all 4 of CVEs' }));
  expect(await screen.findByText('CVE-4')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Copy all CVEs' })).toBeTruthy();
});
