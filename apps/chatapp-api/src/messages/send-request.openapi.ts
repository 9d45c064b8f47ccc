import type { ApiBodyOptions } from '@nestjs/swagger';
import { TEMPLATE_CATEGORIES } from '@heliograph/chatapp-catalog';
import { MESSAGE_TYPES } from './send-request';

type Schema = Extract<ApiBodyOptions, { schema: unknown }>['schema'];

/** The documented body of a send; `send-request.ts` validates it. */
export const SEND_REQUEST_SCHEMA: Schema = {
  type: 'object',
  required: ['to'],
  properties: {
    to: {
      type: 'string',
      description: 'E.164. Form and query aliases: recipient, number, msisdn, mobile, phone',
      example: '+919876543210',
    },
    type: {
      type: 'string',
      enum: [...MESSAGE_TYPES],
      nullable: true,
      description: 'Defaults to text, or to template when a form or query contains a template',
    },
    text: {
      type: 'string',
      nullable: true,
      maxLength: 4096,
      description: 'For type text. Form and query aliases: message, body, msg, content',
    },
    template: {
      type: 'object',
      nullable: true,
      description: 'For type template. In a form or query only the name, with the language in a field language',
      required: ['name'],
      properties: {
        name: { type: 'string', pattern: '^[a-z0-9_]{1,512}$' },
        language: { type: 'string', default: 'en_US', nullable: true },
        components: {
          type: 'array',
          nullable: true,
          items: { type: 'object', additionalProperties: true },
          description: 'Values for the placeholders, in the provider’s format',
        },
      },
    },
    media: {
      type: 'object',
      nullable: true,
      description: 'For image, document, audio, video and sticker; JSON only. Either an id or a link',
      properties: {
        id: { type: 'string', description: 'Media id from POST /chatapp/media' },
        link: { type: 'string', format: 'uri' },
        caption: { type: 'string' },
        filename: { type: 'string', description: 'File name of a document' },
      },
    },
    interactive: {
      type: 'object',
      nullable: true,
      additionalProperties: true,
      description: 'For type interactive, in the provider’s format; JSON only',
    },
    category: {
      type: 'string',
      enum: [...TEMPLATE_CATEGORIES],
      nullable: true,
      description: 'Billing category of a template that has not been synced yet; defaults to marketing',
    },
  },
};
