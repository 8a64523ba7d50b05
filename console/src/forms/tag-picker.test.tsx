import { specified } from '@patch/catalogue/testing/specified.ts';
import { tagsRule } from '@patch/contract/form-rules/tag-rules.ts';
import { searchTagsEndpoint } from '@patch/contract/records/search-tags-endpoint.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { newQueryClient } from '../api/query-client.ts';
import { addReplies, refuse, reply, sentCalls } from '../testing/fake-api.ts';
import { fillIn, pasteInto, person, pressKey } from '../testing/person.ts';
import { RuleField } from './rule-field.tsx';
import { RuleForm } from './rule-form.tsx';
import { SubmitButton } from './submit-button.tsx';
import { TagPicker, type TagPickerProps } from './tag-picker.tsx';

const replyWithTags = (...tags: string[]) => addReplies(reply(searchTagsEndpoint, tags));
beforeEach(() => replyWithTags());
afterEach(() => void vi.useRealTimers());

let last: readonly string[] | undefined;

function mount(props: Partial<TagPickerProps> = {}, first: readonly string[] = []) {
  last = undefined;
  function Holder() {
    const [tags, setTags] = useState(first);
    return (
      <TagPicker
        label="Field"
        {...props}
        value={tags}
        onChange={(next) => {
          last = next;
          setTags(next);
        }}
      />
    );
  }
  render(
    <QueryClientProvider client={newQueryClient()}>
      <Holder />
      <button type="button">Elsewhere</button>
    </QueryClientProvider>,
  );
}

const addButton = () => screen.getByRole('button', { name: 'Add to Field' });
const input = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Field' });
const type = (text: string) => fillIn(input(), text);
const press = (key: string) => pressKey(key, input());
const shown = () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent);
const enter = async (text: string) => {
  await type(text);
  await press('Enter');
};

describe('TagPicker modes', () => {
  test('shows tags with an Add button, and an input until it is left or Escape is pressed', async () => {
    mount({}, ['one']);
    expect(screen.queryByRole('combobox')).toBeNull();
    await person.click(addButton());
    await waitFor(() => expect(document.activeElement).toBe(input()));
    await enter('two');
    expect(shown()).toEqual(['one', 'two']);
    expect(input().value).toBe('');
    await press('Escape');
    expect(screen.queryByRole('combobox')).toBeNull();
    expect(document.activeElement).toBe(addButton());

    await person.click(addButton());
    act(() => screen.getByRole('button', { name: 'Elsewhere' }).focus());
    expect(addButton()).toBeTruthy();
  });

  test('adds the typed text when the picker is left, and preserves an invalid value for correction', async () => {
    mount({ kind: 'email' });
    await person.click(addButton());
    await type('ops@example.org');
    await person.tab();
    expect(last).toEqual(['ops@example.org']);
    await person.click(addButton());
    await type('ops@');
    await person.tab();
    expect(input().value).toBe('ops@');
    expect(screen.getByRole('alert').textContent).toBe('Field field must be a valid email');
  });

  test('always shows the input in text mode, where Enter without text submits the form', async () => {
    mount({ alwaysText: true });
    expect(screen.queryByRole('button', { name: 'Add to Field' })).toBeNull();
    const submitted = vi.fn<(event: Event) => void>();
    addEventListener('keydown', submitted);
    await press('Enter');
    removeEventListener('keydown', submitted);
    expect(submitted.mock.calls[0]?.[0].defaultPrevented).toBe(false);
    expect(screen.getByRole('alert').textContent).toBe('');
    await person.tab();
    expect(input()).toBeTruthy();
  });

  test('removes a tag with its button, and the last one with Backspace', async () => {
    mount({ alwaysText: true }, ['one', 'two', 'three']);
    await person.click(screen.getByRole('button', { name: 'Remove one' }));
    expect(last).toEqual(['two', 'three']);
    expect(document.activeElement).toBe(input());
    await press('Backspace');
    expect(last).toEqual(['two']);
  });

  test('only shows the tags when disabled', () => {
    mount({ disabled: true, alwaysText: true }, ['one']);
    expect(shown()).toEqual(['one']);
    expect(screen.queryAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      'Elsewhere',
    ]);
  });
});

describe('typed text', () => {
  test('requires a value when adding', async () => {
    mount();
    await person.click(addButton());
    await press('Enter');
    expect(screen.getByRole('alert').textContent).toBe('Field field is required');
    await type('x');
    expect(screen.getByRole('alert').textContent).toBe('');
  });

  test('refuses a duplicate', async () => {
    mount({ alwaysText: true }, ['Ops']);
    await enter('ops');
    expect(screen.getByRole('alert').textContent).toBe('The same value already exists for Field');
    expect(input().getAttribute('aria-invalid')).toBe('true');
    expect(last).toBeUndefined();
  });

  test('adds several values at once, and preserves a wrong one with the rest', async () => {
    mount({ kind: 'email', alwaysText: true });
    await pasteInto(input(), 'a@example.org, b@example.org; c@');
    expect(last).toEqual(['a@example.org', 'b@example.org']);
    expect(input().value).toBe('c@');
  });
});

test('cuts a label to 20 characters and an ellipsis, with the full label as its title', () => {
  const most = specified.tagLabel;
  mount({}, ['exactly twenty chars', 'one-and-twenty chars!', '🧩'.repeat(most + 1)]);
  const labels = screen.getAllByRole('listitem');
  expect(labels.map(({ textContent }) => textContent)).toEqual([
    'exactly twenty chars',
    'one-and-twenty chars…',
    `${'🧩'.repeat(most)}…`,
  ]);
  expect(labels[1]?.title).toBe('one-and-twenty chars!');
  expect(screen.getByRole('button', { name: 'Remove one-and-twenty chars!' })).toBeTruthy();
});

describe('known tags', () => {
  const known = () =>
    within(screen.getByRole('listbox', { name: 'Known tags' }))
      .getAllByRole('option')
      .map(({ textContent }) => textContent);
  const wait = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

  test('requests known tags after a pause of 650 ms', async () => {
    vi.useFakeTimers();
    replyWithTags('Zlib', 'zlib-devel');
    mount({ alwaysText: true }, ['zlib-devel']);
    await type('z');
    await wait(specified.times.tagDebounce - 1);
    await type('zl');
    await wait(specified.times.tagDebounce - 1);
    expect(sentCalls()).toEqual([]);
    await wait(1);
    expect(sentCalls()).toMatchObject([{ path: '/searchTags', query: { tag: 'zl' } }]);
    await wait(50);
    // Tags that the field already has are not offered.
    expect(known()).toEqual(['Zlib']);
  });

  test('chooses with the arrow keys and Enter, or with a click', async () => {
    vi.useFakeTimers();
    replyWithTags('openssl', 'openssh');
    mount({ alwaysText: true });
    await type('open');
    await wait(specified.times.tagDebounce);
    await wait(50);
    await press('ArrowDown');
    await press('ArrowDown');
    expect(input().getAttribute('aria-activedescendant')).toBe(
      screen.getByRole('option', { name: 'openssh' }).id,
    );
    await press('Enter');
    expect(last).toEqual(['openssh']);
    await type('opens');
    await wait(specified.times.tagDebounce);
    await wait(50);
    await person.click(screen.getByRole('option', { name: 'openssl' }));
    expect(last).toEqual(['openssh', 'openssl']);
  });

  test('offers no tag that the kind refuses; Escape closes the list and preserves the text', async () => {
    vi.useFakeTimers();
    replyWithTags('operator', 'op@example.org');
    mount({ alwaysText: true, kind: 'email' });
    await type('op');
    await wait(specified.times.tagDebounce);
    await wait(50);
    expect(known()).toEqual(['op@example.org']);
    await press('Escape');
    expect(screen.queryAllByRole('option')).toEqual([]);
    expect(input().value).toBe('op');
  });

  test('allows typing when known tags cannot be loaded', async () => {
    vi.useFakeTimers();
    addReplies(refuse(searchTagsEndpoint, 500));
    mount({ alwaysText: true });
    await type('own');
    await wait(3000);
    await press('Enter');
    expect(last).toEqual(['own']);
  });
});

test('works as a form field: required, focused when invalid, sent as a list', async () => {
  const onSubmit = vi.fn<(values: { tags: readonly string[] }) => Promise<void>>(
    async () => undefined,
  );
  render(
    <QueryClientProvider client={newQueryClient()}>
      <RuleForm<{ tags: readonly string[] }> onSubmit={onSubmit} quiet>
        <RuleField name="tags" label="Field" isChoice rules={[tagsRule('text')]}>
          <TagPicker label="Field" />
        </RuleField>
        <SubmitButton>Save</SubmitButton>
      </RuleForm>
    </QueryClientProvider>,
  );
  await person.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Field field is required')).toBeTruthy();
  expect(document.activeElement).toBe(addButton());
  await person.click(addButton());
  await enter('one');
  await waitFor(() => expect(screen.queryByText('Field field is required')).toBeNull());
  await person.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(onSubmit).toHaveBeenCalledWith({ tags: ['one'] }, expect.anything()));
});
