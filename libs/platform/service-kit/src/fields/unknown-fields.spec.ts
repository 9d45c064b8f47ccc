import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsOptional } from 'class-validator';
import { AppError } from '@heliograph/errors';
import { RequestValidationPipe } from '../http/request-validation.pipe';
import { isStorableText, rule } from '../http/rules';
import { V1Request } from '../v1/v1-request';
import { Aliases, fieldNamesOf } from './field-names';
import { editDistance, nearestName } from './nearest-name';
import { hasUnknownField, unknownFields } from './unknown-fields';

class Recipient {
  @ApiProperty()
  to: string;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  variables?: object;
}

class Filter {
  @ApiProperty()
  country?: string;
  @ApiProperty()
  attributes?: object;
}

class Audience {
  @ApiProperty()
  group_ids?: string[];
  @ApiProperty()
  @Type(() => Filter)
  filter?: Filter;
}

@V1Request()
class BulkRequest {
  @ApiProperty()
  @Aliases('sender', 'at_sender')
  @IsOptional()
  @rule('isSender', 'sender_id must be text.', (value) => isStorableText(value))
  sender_id?: string;
  @ApiProperty()
  @IsOptional()
  @rule('isSchedule', 'scheduled_at must be text.', (value) => isStorableText(value))
  scheduled_at?: string;
  @Type(() => Recipient)
  @rule('areRecipients', 'recipients must be a list.', Array.isArray)
  recipients: unknown[];
  @IsOptional()
  @Type(() => Audience)
  @rule('isAudience', 'audience must be an object.', (value) => typeof value === 'object')
  audience?: Audience;
}

class SendRequest {
  @IsOptional()
  @rule('isTo', 'to must be text.', (value) => isStorableText(value), 'INVALID_RECIPIENT')
  to?: string;
}

const paths = (request: object): string[] =>
  unknownFields(request, fieldNamesOf(BulkRequest)).map(({ parent, name }) => `${parent}:${name}`);

const rejected = (request: object, metatype: typeof BulkRequest | typeof SendRequest = BulkRequest): AppError => {
  try {
    void new RequestValidationPipe().transform(request, { type: 'body', metatype });
  } catch (error) {
    return error as AppError;
  }
  throw new Error('The request was accepted.');
};

describe('unknown fields of a request', () => {
  it('are found with their path, in nested objects with a class', () => {
    const request = {
      scheduledAt: 'x',
      recipients: [{ to: '1' }, { to: '2', varaibles: {} }, 'no object'],
      audience: { groupIds: [], filter: { contry: 'IN', attributes: { any: 1 } } },
    };
    expect(paths(request)).toEqual([
      ':scheduledAt',
      'recipients[1]:varaibles',
      'audience:groupIds',
      'audience.filter:contry',
    ]);
  });

  it('are not found in maps of the caller and in values of the wrong type', () => {
    expect(paths({ recipients: [{ to: '1', variables: { anything: { deep: 1 } } }], audience: 'text' })).toEqual([]);
    expect(paths({ recipients: { to: '1' }, audience: [null] })).toEqual([]);
  });

  it('are at most 100, however many a request has', () => {
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`x${at}`, at]));
    expect(paths(many)).toHaveLength(100);
  });

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])('include %s', (name) => {
    const request = JSON.parse(`{"recipients": [], "${name}": {"polluted": true}}`) as object;
    expect(hasUnknownField(request, fieldNamesOf(BulkRequest))).toBe(true);
    expect(rejected(request).details).toEqual({
      fields: [{ field: name, message: expect.stringContaining(`${name} is not a field of this call.`) as string }],
    });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('are refused together with the fields of the wrong shape, each with the nearest known one', () => {
    const error = rejected({ scheduledAt: 'x', sender_id: 5, sender: 'A', audience: { groupIds: [] } });
    expect(error.code).toBe('INVALID_REQUEST');
    expect(error.message).toBe('scheduledAt is not a field of this call. Did you mean scheduled_at?');
    expect(error.details).toEqual({
      fields: [
        { field: 'scheduledAt', message: 'scheduledAt is not a field of this call. Did you mean scheduled_at?' },
        { field: 'sender', message: 'sender is not a field of this call. Did you mean sender_id?' },
        {
          field: 'audience.groupIds',
          message: 'audience.groupIds is not a field of this call. Did you mean audience.group_ids?',
        },
        { field: 'sender_id', message: 'sender_id must be text.' },
        { field: 'recipients', message: 'recipients must be a list.' },
      ],
    });
  });

  it('are refused before a field with a code of its own', () => {
    const { code, message } = rejected({ to: 5, zzzzzz: 1 }, SendRequest);
    expect([code, message]).toEqual(['INVALID_REQUEST', 'zzzzzz is not a field of this call. Its fields are to.']);
  });

  it('are ignored by a service whose callers may be of any age', () => {
    const pipe = new RequestValidationPipe({ ignoresUnknownFields: true });
    expect(pipe.transform({ to: 'x', other: 1 }, { type: 'body', metatype: SendRequest })).toEqual({ to: 'x' });
  });

  it('with a long or strange name do not enlarge the response', () => {
    const { message, details } = rejected({ recipients: [], [`\0${'x'.repeat(100_000)}`]: 1, '\ud800': 1 });
    expect(JSON.stringify(details).length).toBeLessThan(1_500);
    expect(message.isWellFormed() && !message.includes('\0')).toBe(true);
  });
});

describe('the nearest name', () => {
  it.each([
    ['scheduledAt', 'scheduled_at'],
    ['SCHEDULED-AT', 'scheduled_at'],
    ['varaibles', 'variables'],
    ['vairables', 'variables'],
    ['state', 'status'],
    ['expires', 'expires_at'],
    ['template', 'template_id'],
    ['page', null],
    ['x', null],
    ['', null],
    ['x'.repeat(1_000), null],
  ])('of %p is %p', (name, nearest) => {
    const names = ['to', 'scheduled_at', 'variables', 'status', 'expires_at', 'template_id', 'limit', 'cursor'];
    expect(nearestName(name, names)).toBe(nearest);
  });

  it.each([
    ['', '', 0],
    ['kitten', 'sitting', 3],
    ['ab', 'ba', 1],
    ['', 'abc', 3],
  ])('uses the edit distance of %p and %p', (a, b, distance) => expect(editDistance(a, b)).toBe(distance));
});
