import type { ApiBodyOptions } from '@nestjs/swagger';
import { MAX_RECIPIENTS } from './send-request';

type Schema = Extract<ApiBodyOptions, { schema: unknown }>['schema'];

/** OpenAPI schema of the send request. */
export const SEND_REQUEST_SCHEMA: Schema = {
  type: 'object',
  required: ['to'],
  properties: {
    from: {
      type: 'string',
      nullable: true,
      description: 'Address of a registered sender; by default the main sender',
      example: 'hello@acme.example',
    },
    fromName: {
      type: 'string',
      nullable: true,
      description: 'Display name; by default the name of the sender',
    },
    to: {
      description: 'One or more recipients. Each recipient receives a separate mail; duplicates are removed',
      oneOf: [
        { type: 'string', example: 'ann@example.com' },
        { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: MAX_RECIPIENTS },
      ],
    },
    subject: { type: 'string', nullable: true, description: 'Required unless the template has a subject' },
    html: { type: 'string', nullable: true, description: 'HTML body. Required unless text or template is given' },
    text: { type: 'string', nullable: true, description: 'Plain text body; by default generated from html' },
    template: { type: 'string', nullable: true, description: 'Id or slug of a template' },
    variables: {
      type: 'object',
      additionalProperties: true,
      nullable: true,
      description: 'Values of the template variables',
    },
    scheduledAt: {
      type: 'string',
      format: 'date-time',
      nullable: true,
      description: 'Time to send, in RFC 3339 with a UTC offset; must be in the future',
    },
    tracking: {
      type: 'object',
      nullable: true,
      properties: { opens: { type: 'boolean', default: true }, clicks: { type: 'boolean', default: true } },
    },
  },
};
