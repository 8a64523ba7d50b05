import { screen } from '@testing-library/react';
import { Form } from 'antd';
import { expect, test, vi } from 'vitest';
import { fillIn, person } from '../testing/person.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
import { PasswordField } from './password-field.tsx';

function Resettable() {
  const [form] = Form.useForm();
  return (
    <Form form={form} initialValues={{}}>
      <Form.Item name="password" label="Password">
        <PasswordField autoComplete="new-password" />
      </Form.Item>
      <button type="button" onClick={() => form.resetFields()}>
        Reset
      </button>
    </Form>
  );
}

test('clears the password when the form is reset', async () => {
  const complaints = vi.spyOn(console, 'error');
  await renderInApp(<Resettable />);
  const field = screen.getByLabelText<HTMLInputElement>('Password');
  await fillIn(field, 'correct horse');
  expect(field.value).toBe('correct horse');
  await person.click(screen.getByRole('button', { name: 'Reset' }));
  expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('');
  expect(complaints).not.toHaveBeenCalled();
});
