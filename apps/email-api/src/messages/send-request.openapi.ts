import type { ApiBodyOptions } from '@nestjs/swagger';
import { MAX_RECIPIENTS } from './send-request';

type Schema = Extract<ApiBodyOptions, { schema: unknown }>['schema'];

/** The body of a send, as the document describes it. */
export const SEND_REQUEST_SCHEMA: Schema = {
  type: 'object',
  required: ['to'],
  properties: {
    from: {
      type: 'string',
      nullable: true,
      description: 'A sender of yours; the main one by default',
      example: 'hello@acme.example',
    },
    fromName: {
      type: 'string',
      nullable: true,
      description: 'Shown before the address; the name of the sender by default',
    },
    to: {
      description: 'Each recipient gets a mail of its own; one that is listed twice gets one',
      oneOf: [
        { type: 'string', example: 'ann@example.com' },
        { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: MAX_RECIPIENTS },
      ],
    },
    subject: { type: 'string', nullable: true, description: 'Required unless the template has one' },
    html: { type: 'string', nullable: true, description: 'Required unless text or template is given' },
    text: { type: 'string', nullable: true, description: 'Made from html when it is missing' },
    template: { type: 'string', nullable: true, description: 'Id or slug of a stored template' },
    variables: { type: 'object', additionalProperties: true, nullable: true, description: 'Values for the template' },
    scheduledAt: { type: 'string', format: 'date-time', nullable: true, description: 'When to send, with a zone' },
    tracking: {
      type: 'object',
      nullable: true,
      properties: { opens: { type: 'boolean', default: true }, clicks: { type: 'boolean', default: true } },
    },
  },
};
