import { specified } from '@patch/catalogue/testing/specified.ts';
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { email } from '@patch/contract/form-rules/text-rules.ts';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Form, type FormInstance, Input, Radio } from 'antd';
import { useEffect } from 'react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiCallError } from '../api/api-call-error.ts';
import { fillIn, person } from '../testing/person.ts';
import { ToastHost } from '../widgets/toast-host.tsx';
import { RuleField } from './rule-field.tsx';
import { RuleForm, type RuleFormProps } from './rule-form.tsx';
import { SubmitButton } from './submit-button.tsx';

interface Entered {
  readonly name: string;
  readonly address: string;
  readonly size: string;
}

let form: FormInstance<Entered>;
const onSubmit = vi.fn<RuleFormProps<Entered>['onSubmit']>();
beforeEach(() => {
  onSubmit.mockReset();
  onSubmit.mockResolvedValue(undefined);
});

const oneSize = (value: string) => (value === 'small' ? 'Size must be large' : null);

function Mounted({
  whenChanged = false,
  host = true,
  ...props
}: Partial<RuleFormProps<Entered>> & { readonly whenChanged?: boolean; readonly host?: boolean }) {
  const [instance] = Form.useForm<Entered>();
  useEffect(() => {
    form = instance;
  }, [instance]);
  return (
    <>
      {host ? <ToastHost /> : null}
      <RuleForm<Entered> form={instance} onSubmit={onSubmit} {...props}>
        <RuleField name="name" label="Name" rules={[required]}>
          <Input />
        </RuleField>
        <RuleField name="address" label="Address" nameInMessages="Email" rules={[email]}>
          <Input />
        </RuleField>
        <RuleField name="size" label="Size" isChoice rules={[oneSize]}>
          <Radio.Group options={['small', 'large']} />
        </RuleField>
        <SubmitButton whenChanged={whenChanged}>Save</SubmitButton>
      </RuleForm>
    </>
  );
}

const { formDebounce } = specified.times;
const { formInvalid, formInvalidTitle } = specified.messages;
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const type = (name: string, value: string) => fillIn(field(name), value);
const save = () => screen.getByRole<HTMLButtonElement>('button', { name: /Save/ });
const badAddress = 'Email field must be a valid email';
const settle = (milliseconds: number) =>
  act(() => new Promise((resolve) => setTimeout(resolve, milliseconds)));

describe('validation', () => {
  test('validates 200 ms after a field is left, not while it is first typed', async () => {
    const waits = vi.spyOn(globalThis, 'setTimeout');
    render(<Mounted />);
    await type('Address', 'nobody');
    await settle(formDebounce + 100);
    expect(screen.queryByText(badAddress)).toBeNull();
    waits.mockClear();
    await person.tab();
    await settle(formDebounce / 2);
    expect(screen.queryByText(badAddress)).toBeNull();
    expect(await screen.findByText(badAddress)).toBeTruthy();
    expect(waits.mock.calls.map(([, milliseconds]) => milliseconds)).toContain(formDebounce);
    waits.mockRestore();
  });

  test('validates at once when a value is chosen', async () => {
    render(<Mounted />);
    await person.click(screen.getByRole('radio', { name: 'small' }));
    expect(await screen.findByText('Size must be large')).toBeTruthy();
  });

  test('validates while a field with an error is typed in, and when it is set from outside', async () => {
    render(<Mounted />);
    await type('Address', 'nobody');
    await person.tab();
    await screen.findByText(badAddress);
    await type('Address', 'nobody@example.org');
    await waitFor(() => expect(screen.queryByText(badAddress)).toBeNull());

    await type('Address', 'nobody');
    await person.tab();
    await screen.findByText(badAddress);
    act(() => form.setFieldValue('address', 'still nobody'));
    await settle(formDebounce + 100);
    expect(await screen.findByText(badAddress)).toBeTruthy();
  });
});

describe('sending', () => {
  test('validates all fields first, focuses an invalid one, and shows a notification titled Error', async () => {
    render(<Mounted />);
    await type('Address', 'nobody');
    await person.click(save());
    expect(await screen.findByText(formInvalid)).toBeTruthy();
    expect(screen.getByText(formInvalidTitle)).toBeTruthy();
    expect(await screen.findByText('Name field is required')).toBeTruthy();
    expect(screen.getByText(badAddress)).toBeTruthy();
    expect(document.activeElement).toBe(field('Name'));
    expect(onSubmit).not.toHaveBeenCalled();
  });

  test('removes the notification when the form is corrected, not before', async () => {
    render(<Mounted />);
    await type('Address', 'nobody');
    await person.click(save());
    await screen.findByText(formInvalid);
    await screen.findByText('Name field is required');
    await type('Address', 'nobody@example.org');
    await waitFor(() => expect(screen.queryByText(badAddress)).toBeNull());
    await settle(formDebounce * 2);
    expect(screen.getByText(formInvalid)).toBeTruthy();
    await type('Name', 'web');
    // The notification would disappear by itself much later.
    await waitFor(() => expect(screen.queryByText(formInvalid)).toBeNull(), {
      timeout: specified.times.notification - 500,
    });
    expect(onSubmit).not.toHaveBeenCalled();
  });

  test('removes the notification with its form', async () => {
    render(<ToastHost />);
    const { unmount } = render(<Mounted host={false} />);
    await person.click(save());
    await screen.findByText(formInvalid);
    unmount();
    await waitFor(() => expect(screen.queryByText(formInvalid)).toBeNull(), {
      timeout: specified.times.notification - 500,
    });
  });

  test('shows no notification when it is switched off', async () => {
    render(<Mounted quiet />);
    await type('Address', 'nobody');
    await person.click(save());
    await screen.findByText('Name field is required');
    expect(screen.queryByText(formInvalid)).toBeNull();
  });

  test('shows a refusal about a field at the field until it is changed', async () => {
    onSubmit.mockRejectedValueOnce(new ApiCallError(422, 'name_taken', 'That name is taken.'));
    render(<Mounted fieldErrors={{ name_taken: 'name' }} />);
    await type('Name', 'web');
    await person.click(save());
    expect(await screen.findByText('That name is taken.')).toBeTruthy();
    expect(screen.queryByRole('alert', { name: 'That name is taken.' })).toBeNull();
    expect(document.activeElement).toBe(field('Name'));
    await type('Name', 'web 2');
    await waitFor(() => expect(screen.queryByText('That name is taken.')).toBeNull());
  });

  test('preserves a refusal that arrives soon after the last keystroke', async () => {
    onSubmit.mockImplementationOnce(async () => {
      await new Promise((resolve) => setTimeout(resolve, formDebounce / 4));
      throw new ApiCallError(422, 'name_taken', 'That name is taken.');
    });
    render(<Mounted fieldErrors={{ name_taken: 'name' }} />);
    await type('Name', 'web');
    await person.click(save());
    await screen.findByText('That name is taken.');
    await settle(formDebounce * 2);
    expect(field('Name').getAttribute('aria-invalid')).toBe('true');
    expect(form.getFieldError('name')).toEqual(['That name is taken.']);
  });

  test('shows any other refusal over the form until it is sent again', async () => {
    onSubmit.mockRejectedValueOnce(
      new ApiCallError(422, 'other', 'Not today.', { requestId: 'req-42' }),
    );
    render(<Mounted fieldErrors={{ name_taken: 'name' }} />);
    await type('Name', 'web');
    await person.click(save());
    expect(
      (await screen.findByText('Not today.')).closest('[role="alert"]')?.textContent,
    ).toContain('Request req-42');
    await person.click(save());
    await waitFor(() => expect(screen.queryByText('Not today.')).toBeNull());
    expect(onSubmit).toHaveBeenCalledTimes(2);
  });

  test('waits for a change, and for the next one after saving', async () => {
    render(<Mounted whenChanged initialValues={{ name: 'web' }} />);
    expect(save().disabled).toBe(true);
    await type('Name', 'web 2');
    await waitFor(() => expect(save().disabled).toBe(false));
    await type('Name', 'web');
    await waitFor(() => expect(save().disabled).toBe(true));
    await type('Name', 'web 3');
    await waitFor(() => expect(save().disabled).toBe(false));
    await person.click(save());
    await waitFor(() => expect(onSubmit).toHaveBeenCalledTimes(1));
    await waitFor(() => expect(save().disabled).toBe(true));
  });

  test('sends the form once when it is submitted twice', async () => {
    let done: (value?: unknown) => void = () => {};
    onSubmit.mockReturnValueOnce(new Promise((resolve) => (done = resolve)));
    render(<Mounted />);
    await type('Name', 'web');
    await person.click(save());
    await waitFor(() => expect(onSubmit).toHaveBeenCalledTimes(1));
    fireEvent.submit(save().closest('form') as HTMLFormElement);
    await settle(50);
    expect(onSubmit).toHaveBeenCalledTimes(1);
    await act(async () => done());
  });
});
