import {
  Allow,
  IsIn,
  IsOptional,
  IsString,
  ValidateBy,
  ValidateIf,
  ValidateNested,
  validateSync,
} from 'class-validator';
import fc from 'fast-check';
import { rule } from './rules';
import { satisfiesRules } from './satisfies-rules';
import { toDto } from './to-dto';

const isPositive = (value: unknown): boolean => typeof value === 'number' && value > 0;
const IsBelow = (field: string) =>
  rule<Record<string, unknown>>('isBelow', 'too large', (value, dto) => Number(value) < Number(dto[field]));

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

  @Allow()
  note?: unknown;
}

class LargeOrder extends Order {
  @rule('isPositive', 'not positive', isPositive)
  @IsBelow('weight')
  discount: number;
}

describe('satisfiesRules', () => {
  const given = fc.record({
    by: fc.constantFrom<unknown>('post', 'courier', 'train', null, 1),
    weight: fc.constantFrom<unknown>(undefined, null, 5, 10, -1),
    phone: fc.constantFrom<unknown>(undefined, '+4915112345678', '', 1),
    note: fc.constantFrom<unknown>(undefined, null, 'note', {}),
    discount: fc.constantFrom<unknown>(undefined, 1, 2, 9, '1'),
  });

  it.each([Order, LargeOrder])('agrees with class-validator: %p', (type) => {
    let valid = 0;
    fc.assert(
      fc.property(given, (fields) => {
        const dto = toDto<object>(type, fields);
        const expected = validateSync(dto).length === 0;
        if (expected) valid += 1;
        expect(satisfiesRules(dto)).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
    expect(valid).toBeGreaterThan(10);
  });

  it('leaves rules of other kinds to class-validator', () => {
    class Nested {
      @ValidateNested()
      order = new Order();
    }
    class Each {
      @IsString({ each: true })
      names = ['a'];
    }
    class InGroup {
      @IsString({ groups: ['create'] })
      name = 'a';
    }
    class Conditional {
      @IsString({ validateIf: () => false })
      name = 1;
    }
    class Later {
      @ValidateBy({ name: 'later', async: true, validator: { validate: () => Promise.resolve(true) } })
      name = 'a';
    }
    class Unknown {}
    for (const type of [Nested, Each, InGroup, Conditional, Later, Unknown]) {
      expect([type.name, satisfiesRules(new type())]).toEqual([type.name, false]);
    }
  });
});
