import { applyDecorators } from '@nestjs/common';
import { AcceptsBody, isStorableText, rule, type FormFields } from '@heliograph/service-kit';

const FORM_TYPE = 'application/x-www-form-urlencoded';
const MAX_BODY_BYTES = 20_000;
const MAX_FIELD_LENGTH = 2_000;

const IsFormText = () =>
  rule('isFormText', 'A field of the form has too many characters.', (value) =>
    isStorableText(value, MAX_FIELD_LENGTH),
  );

/** The fields of all forms; empty if a form does not have them. */
export class ConsoleForm {
  @IsFormText()
  token: string;
  @IsFormText()
  email: string;
  @IsFormText()
  name: string;
  @IsFormText()
  password: string;
  @IsFormText()
  code: string;
}

function readForm(fields: FormFields): ConsoleForm {
  const read = (name: keyof ConsoleForm): string => fields.get(name)?.[0] ?? '';
  return {
    token: read('token'),
    email: read('email'),
    name: read('name'),
    password: read('password'),
    code: read('code'),
  };
}

/** Accepts a form that a browser sends. */
export const AcceptsForm = (): MethodDecorator & ClassDecorator =>
  applyDecorators(AcceptsBody({ maxBytes: MAX_BODY_BYTES, mediaTypes: [FORM_TYPE], form: readForm }));
