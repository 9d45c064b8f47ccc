import { RequestValidationPipe } from '@heliograph/service-kit';
import { normalizeJson } from '../../normalize-json';
import { readComponents } from './read-components';
import { TemplateRequest } from '../templates.dto';

const pipe = new RequestValidationPipe();
export const readTemplate = (body: Record<string, unknown>) => {
  const request = pipe.transform(normalizeJson(body), { type: 'body', metatype: TemplateRequest }) as TemplateRequest;
  return { ...request, components: readComponents(request) };
};

export const base = { name: 'order_update', language: 'en_US', category: 'utility' };
export const refused = (read: () => unknown, code = 'INVALID_REQUEST') => {
  expect(read).toThrow(expect.objectContaining({ code, status: 400 }) as Error);
};
