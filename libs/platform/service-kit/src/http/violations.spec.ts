import {
  Allow,
  ArrayMaxSize,
  IsIn,
  IsOptional,
  IsString,
  MaxLength,
  ValidateBy,
  ValidateIf,
  ValidateNested,
  validateSync,
  type ValidationError,
} from 'class-validator';
import { Type } from 'class-transformer';
import fc from 'fast-check';
import { fieldNamesOf } from '../fields/field-names';
import { unknownFields } from '../fields/unknown-fields';
import { rule } from './rules';
import { toDto } from './to-dto';
import { violationsOf } from './violations';

const isPositive = (value: unknown): boolean => typeof value === 'number' && value > 0;
const IsBelow = (field: string) =>
  rule<Record<string, unknown>>('isBelow', 'too large', (value, dto) => Number(value) < Number(dto[field]));

class Parcel {
  @IsString()
  @IsIn(['small', 'large'], { message: (given) => `no size: ${String(given.value)}` })
  size: string;

  @IsOptional()
  @MaxLength(5, { each: true })
  labels?: string[];

  @IsOptional()
  @ValidateNested({ message: '$property must be an object' })
  @Type(() => Parcel)
  inside?: Parcel;
}

class Order {
  @IsString()
  @IsIn(['post', 'courier'])
  by: string;

  @IsOptional()
  @rule('isPositive', 'not positive', isPositive)
  weight?: number;

  @ValidateIf(({ by }: Order) => by === 'courier')
  @IsString()
  phone?: string;

  @IsOptional()
  @ValidateNested({ each: true, message: 'parcels must be a list of objects' })
  @Type(() => Parcel)
  parcels?: Parcel[];

  @Allow()
  note?: unknown;
}

class LargeOrder extends Order {
  @rule('isPositive', 'not positive', isPositive)
  @IsBelow('weight')
  discount: number;
}

/** The violations that class-validator finds. It does not say in its errors which element of a list violates a rule. */
function expectedOf(errors: ValidationError[], parent = ''): { path: string; message: string | undefined }[] {
  return errors.flatMap(({ property, constraints, children = [] }) => {
    const name = /^\d+$/.test(property) ? `[${property}]` : `.${property}`;
    const path = parent === '' ? property : `${parent}${name}`;
    const [message] = Object.values(constraints ?? {});
    return [...(constraints ? [{ path, message }] : []), ...expectedOf(children, path)];
  });
}

const withoutPath = (text: string | undefined): string | undefined =>
  text?.replace(/^each value in /, '').replace(/^[a-z]+[\w.[\]]* must/, 'must');

describe('violations', () => {
  const parcel = fc.record({
    size: fc.constantFrom<unknown>('small', 'large', 'huge', null),
    labels: fc.constantFrom<unknown>(undefined, ['a', 'b'], ['much too long'], 'also too long'),
    inside: fc.constantFrom<unknown>(undefined, null, { size: 'small' }, { size: 1 }, 'text'),
  });
  const given = fc.record({
    by: fc.constantFrom<unknown>('post', 'courier', 'train', null, 1),
    weight: fc.constantFrom<unknown>(undefined, null, 5, 10, -1),
    phone: fc.constantFrom<unknown>(undefined, '+4915112345678', '', 1),
    parcels: fc.oneof(fc.array(parcel, { maxLength: 3 }), fc.constantFrom<unknown>(undefined, null, 'text', [null, 1])),
    note: fc.constantFrom<unknown>(undefined, null, 'note', {}),
    discount: fc.constantFrom<unknown>(undefined, 1, 2, 9, '1'),
  });

  it.each([Order, LargeOrder])('are those of class-validator: %p', (type) => {
    let valid = 0;
    fc.assert(
      fc.property(given, (fields) => {
        const dto = toDto<object>(type, fields);
        const expected = expectedOf(validateSync(dto, { stopAtFirstError: true }));
        const found = violationsOf(dto).map(({ path, message }) => ({ path, message }));
        if (found.length === 0) valid += 1;
        const comparable = (all: typeof expected) =>
          all.map(({ path, message }) => `${path.replace(/(labels)\[\d\]$/, '$1')} ${withoutPath(message)}`);
        expect(comparable(found)).toEqual(comparable(expected));
      }),
      { numRuns: 2_000 },
    );
    expect(valid).toBeGreaterThan(10);
  });

  it('name the path of a field and of an element', () => {
    const dto = toDto(Order, {
      by: 'post',
      parcels: [{ size: 'small' }, { size: 'large', labels: ['a', 'long label'] }],
    });
    expect(violationsOf(dto)).toMatchObject([
      {
        path: 'parcels[1].labels[1]',
        message: 'each value in parcels[1].labels[1] must be shorter than or equal to 5 characters',
      },
    ]);
  });

  it('include a nested object that is missing, unlike those of class-validator', () => {
    class Shipment {
      @ValidateNested({ message: 'parcel must be an object', context: { code: 'NOT_FOUND' } })
      @Type(() => Parcel)
      parcel: Parcel;
      @ValidateNested({ each: true, message: '$property must be a list' })
      @Type(() => Parcel)
      parcels: Parcel[];
    }
    expect(violationsOf(toDto(Shipment, { parcel: null, parcels: { size: 'small' } }))).toEqual([
      { path: 'parcel', message: 'parcel must be an object', code: 'NOT_FOUND' },
      { path: 'parcels', message: 'parcels must be a list', code: undefined },
    ]);
  });

  it('have the path of the whole field with `isWhole`', () => {
    class Shipment {
      @ValidateNested({ each: true, message: '$property must be a parcel', context: { isWhole: true } })
      @Type(() => Parcel)
      parcels: Parcel[];
    }
    for (const [one, message] of [
      [{ size: 'huge' }, 'no size: huge'],
      [7, 'parcels[1] must be a parcel'],
    ] as const) {
      const found = violationsOf(toDto(Shipment, { parcels: [{ size: 'small' }, one, null] }));
      expect(found).toEqual([{ path: 'parcels', message, code: undefined }]);
    }
  });

  it.each(['constructor', '__proto__', 'prototype', 'toString'])('ignore the name %s in nested objects', (name) => {
    const body = JSON.parse(`{"by": "post", "parcels": [{"size": "small", "${name}": {"polluted": 1}}]}`) as object;
    const dto = toDto(Order, body);
    expect(violationsOf(dto)).toEqual([]);
    expect(dto.parcels?.[0]).toBeInstanceOf(Parcel);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect(unknownFields(body, fieldNamesOf(Order))).toMatchObject([{ name, parent: 'parcels[0]' }]);
  });

  it('of a body with 100,000 levels end at the depth that DTOs may have', () => {
    let inside: object = { size: 'small' };
    for (let level = 0; level < 100_000; level++) inside = { size: 'small', inside };
    const [{ path } = { path: '' }] = violationsOf(toDto(Order, { by: 'post', parcels: [inside] }));
    expect(path).toBe(`parcels[0]${'.inside'.repeat(32)}`);
    expect(unknownFields({ by: 'post', parcels: [inside] }, fieldNamesOf(Order))).toEqual([]);
  });

  it('are at most 100 in a list of any length, after those of the list', () => {
    class Short extends Order {
      @ArrayMaxSize(5)
      override parcels?: Parcel[];
    }
    const parcels = Array.from({ length: 1_000_000 }, () => ({}));
    const started = performance.now();
    expect(violationsOf(toDto(Order, { by: 'post', parcels }))).toHaveLength(100);
    expect(violationsOf(toDto(Order, { by: 'post', parcels: parcels.slice(0, 200) }))).toHaveLength(100);
    expect(violationsOf(toDto(Short, { by: 'post', parcels }))).toMatchObject([{ path: 'parcels' }]);
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it('include a rule that is asynchronous, because its result is not awaited', () => {
    class Later {
      @ValidateBy({ name: 'later', validator: { validate: () => Promise.resolve(true) } })
      name = 'a';
    }
    expect(violationsOf(new Later())).toMatchObject([{ path: 'name' }]);
  });

  it('cannot be found with rules of other kinds', () => {
    class InGroup {
      @IsString({ groups: ['create'] })
      name = 'a';
    }
    class Conditional {
      @IsString({ validateIf: () => false })
      name = 1;
    }
    class Untyped {
      @ValidateNested()
      name = new Parcel();
    }
    for (const type of [InGroup, Conditional, Untyped]) {
      expect(() => violationsOf(new type())).toThrow(`${type.name}.name: a rule of this kind is not supported.`);
    }
  });
});
