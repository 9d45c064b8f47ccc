import type { OpenAPIObject } from '@nestjs/swagger';
import Ajv from 'ajv';
import { completeDocument } from './complete-document';

const document = (): OpenAPIObject => ({
  openapi: '3.0.0',
  info: { title: 'Letters', version: '1', contact: {} },
  components: {
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      unused: { type: 'http', scheme: 'basic' },
    },
    schemas: {
      Stamp: { type: 'object', required: ['price'], properties: { price: { type: 'integer' } } },
      Letter: {
        type: 'object',
        required: ['copies'],
        properties: {
          stamp: {
            type: 'object',
            nullable: true,
            allOf: [{ $ref: '#/components/schemas/Stamp' }],
            description: 'If paid',
          },
          style: { type: 'string', default: 'plain', description: 'How it looks.' },
          copies: { type: 'integer', default: 1 },
          size: { type: 'string', default: null, nullable: true },
        },
      },
    },
  },
  paths: {
    '/letters': {
      get: {
        parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', default: 20 } }],
        responses: {
          200: { description: 'The letters' },
          409: { description: 'NAME_TAKEN, LIMIT_REACHED\n\nNAME_TAKEN\n\nLIMIT_REACHED, LOCKED' },
        },
      },
      post: { security: [{ bearer: [] }], responses: {} },
    },
  },
});

describe('row 32: completeDocument', () => {
  const completed = completeDocument(document());
  const properties = JSON.parse(JSON.stringify(completed.components?.schemas?.['Letter'])).properties as Record<
    string,
    object
  >;

  it('adds the server and the public operations, and removes empty and unused parts', () => {
    expect(completed.servers).toEqual([{ url: '/' }]);
    expect(completed.paths['/letters']?.get?.security).toEqual([]);
    expect(completed.paths['/letters']?.post?.security).toEqual([{ bearer: [] }]);
    expect(Object.keys(completed.components?.securitySchemes ?? {})).toEqual(['bearer']);
    expect(completed.info).not.toHaveProperty('contact');
  });

  it('lists each error code once', () => {
    expect(completed.paths['/letters']?.get?.responses).toMatchObject({
      200: { description: 'The letters' },
      409: { description: 'NAME_TAKEN, LIMIT_REACHED, LOCKED' },
    });
  });

  it('allows null for a nullable reference with strict validators, but no other invalid value', () => {
    const ajv = new Ajv({ strict: true, strictTypes: false }).addKeyword('components');
    const validate = ajv.compile({
      components: completed.components,
      ...properties['stamp'],
    });
    expect([{ price: 1 }, null, {}, 'x', { price: null }].map((value) => validate(value))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('moves defaults of optional fields to their descriptions, and keeps defaults of parameters', () => {
    expect(properties).toMatchObject({
      style: { type: 'string', description: 'How it looks. Default: `"plain"`' },
      copies: { default: 1 },
      size: { description: 'Default: `null`' },
    });
    expect(properties['style']).not.toHaveProperty('default');
    expect(completed.paths['/letters']?.get?.parameters).toMatchObject([{ schema: { default: 20 } }]);
  });
});
