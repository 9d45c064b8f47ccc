import type { OpenAPIObject } from '@nestjs/swagger';
import { describeFields } from './describe-fields';

type Described = Record<string, { description?: string; allOf?: object[] }>;

const time = () => ({ type: 'string', format: 'date-time' });

/** Describes one schema, and returns its properties. */
function described(name: string, properties: Record<string, object>): Described {
  const document = {
    openapi: '3.0.0',
    info: { title: 'Contacts', version: '1' },
    components: { schemas: { [name]: { type: 'object', properties } } },
    paths: {},
  } as unknown as OpenAPIObject;
  describeFields(document);
  return (document.components?.schemas?.[name] as { properties: Described }).properties;
}

describe('the vocabulary of fields', () => {
  it('describes fields by their names and the name of the object, in both notations', () => {
    expect(described('V1ContactRequest', { name: {}, time_zone: {} })).toMatchObject({
      name: { description: 'Name of the contact' },
      time_zone: { description: 'IANA time zone, such as `Asia/Kolkata`' },
    });
    expect(described('KeyRecord', { timeZone: {}, id: {} })).toMatchObject({
      timeZone: { description: 'IANA time zone, such as `Asia/Kolkata`' },
      id: { description: 'Id of the API key' },
    });
  });

  it('keeps descriptions, and leaves unknown fields without one', () => {
    expect(described('Box', { name: { description: 'On the lid' }, lid: {} })).toEqual({
      name: { description: 'On the lid' },
      lid: {},
    });
  });

  it('says what null means only for fields that can be null', () => {
    const fields = described('Box', { expiresAt: time(), revokedAt: { ...time(), nullable: true } });
    expect(fields['expiresAt']?.description).toBe('Time at which the box expires. RFC 3339 in UTC');
    expect(fields['revokedAt']?.description).toContain('`null` if it is valid. RFC 3339 in UTC');
  });

  it('states the zone of every timestamp: those of requests, responses, and responses without a zone', () => {
    expect(described('BoxRequest', { scheduledAt: time() })['scheduledAt']?.description).toMatch(
      / with `Z` or an offset$/,
    );
    expect(described('Box', { createdAt: time() })['createdAt']?.description).toMatch(/RFC 3339 in UTC$/);
    expect(described('Box', { createdAt: { type: 'string' } })['createdAt']?.description).toContain('without a zone');
    const own = { ...time(), description: 'Start of the day in the requested time zone' };
    expect(described('Box', { at: own })['at']?.description).toBe(own.description);
  });

  it('describes references, whose other keywords OpenAPI 3.0 ignores', () => {
    const lid = () => ({ $ref: '#/components/schemas/Lid' });
    expect(described('OneLid', { lid: lid(), lids: { type: 'array', items: lid() } })).toEqual({
      lid: { allOf: [lid()], description: 'The lid' },
      lids: { type: 'array', items: lid(), description: 'The lids' },
    });
  });

  it('describes the id in a path by the segment before it, and filters by their names', () => {
    const parameters = [
      { name: 'id', in: 'path', schema: { type: 'string' } },
      { name: 'keyId', in: 'path', schema: { type: 'string' } },
      { name: 'created_after', in: 'query', schema: time() },
    ];
    const document = {
      openapi: '3.0.0',
      info: { title: 'Contacts', version: '1' },
      paths: { '/workspaces/{id}/api-keys/{keyId}': { get: { parameters, responses: {} } } },
    } as unknown as OpenAPIObject;
    describeFields(document);
    expect(parameters).toMatchObject([
      { description: 'Id of the workspace' },
      { description: 'Id of the API key' },
      { description: 'Only contacts that were created after this time. RFC 3339 with `Z` or an offset' },
    ]);
  });
});
