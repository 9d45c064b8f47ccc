import type { ApiBodyOptions } from '@nestjs/swagger';
import { TEMPLATE_CATEGORIES } from '@heliograph/chatapp-catalog';
import { MESSAGE_TYPES } from './send-request';

type Schema = Extract<ApiBodyOptions, { schema: unknown }>['schema'];

/** The body of a send as it is documented; `send-request.ts` checks it. */
export const SEND_REQUEST_SCHEMA: Schema = {
  type: 'object',
  required: ['to'],
  properties: {
    to: {
      type: 'string',
      description: 'E.164. In a form also recipient, number, msisdn, mobile, phone',
      example: '+919876543210',
    },
    type: {
      type: 'string',
      enum: [...MESSAGE_TYPES],
      nullable: true,
      description: 'Default text; template in a form that names a template',
    },
    text: {
      type: 'string',
      nullable: true,
      maxLength: 4096,
      description: 'For type text. In a form also message, body, msg, content',
    },
    template: {
      type: 'object',
      nullable: true,
      description: 'For type template. In a form the name alone, beside a field language',
      required: ['name'],
      properties: {
        name: { type: 'string', pattern: '^[a-z0-9_]{1,512}$' },
        language: { type: 'string', default: 'en_US', nullable: true },
        components: {
          type: 'array',
          nullable: true,
          items: { type: 'object', additionalProperties: true },
          description: 'What fills the placeholders, as the platform takes it',
        },
      },
    },
    media: {
      type: 'object',
      nullable: true,
      description: 'For image, document, audio, video and sticker; JSON only. An id or a link',
      properties: {
        id: { type: 'string', description: 'As POST /chatapp/media answered it' },
        link: { type: 'string', format: 'uri' },
        caption: { type: 'string' },
        filename: { type: 'string', description: 'Of a document' },
      },
    },
    interactive: {
      type: 'object',
      nullable: true,
      additionalProperties: true,
      description: 'For type interactive, as the platform takes it; JSON only',
    },
    category: {
      type: 'string',
      enum: [...TEMPLATE_CATEGORIES],
      nullable: true,
      description: 'What a template is billed as that is not mirrored here yet; marketing by default',
    },
  },
};
