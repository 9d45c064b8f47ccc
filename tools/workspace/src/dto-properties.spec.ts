import { createRequire } from 'node:module';

const { describeProperties } = createRequire(__filename)('../../build/dto-properties.cjs') as {
  describeProperties(source: string, file: string): string;
};

/** The options that a property of a DTO gets, as source text. */
function optionsOf(property: string, before = ''): string | undefined {
  const source = `${before}\nexport class Example {\n  ${property}\n}\n`;
  return /@describedProperty\(\{ (.*) \}\)/.exec(describeProperties(source, 'example.dto.ts'))?.[1];
}

describe('the properties of a DTO', () => {
  it.each([
    ['name: string;', 'type: String, required: true'],
    ['name?: string | null;', 'type: String, nullable: true, required: false'],
    ['count: Integer;', "type: 'integer', required: true"],
    ['id: Uuid;', "type: String, format: 'uuid', required: true"],
    ['at: Timestamp | null;', "type: String, format: 'date-time', nullable: true, required: true"],
    ['flag: boolean = false;', 'type: Boolean, required: false'],
    ['names: readonly string[];', 'type: String, isArray: true, required: true'],
    ["status: 'queued' | 'sent';", "type: String, enum: ['queued', 'sent'], required: true"],
    ['status: (typeof STATUSES)[number];', 'enum: STATUSES, required: true'],
    ['data: Record<string, unknown>;', "type: 'object', additionalProperties: true, required: true"],
    ['values: Record<string, number>;', "type: 'object', additionalProperties: { type: 'number' }, required: true"],
  ])('are described by the type: %s', (property, options) => {
    expect(optionsOf(property)).toBe(options);
  });

  it('refer to classes and to types of the file', () => {
    expect(optionsOf('error: Failure | null;', `import { Failure } from './failure';`)).toBe(
      'type() { return Failure; }, nullable: true, required: true',
    );
    expect(optionsOf('errors: Failure[];', 'class Failure {}')).toBe(
      'type() { return Failure; }, isArray: true, required: true',
    );
    expect(optionsOf('kind: Kind;', `type Kind = 'a' | 'b';`)).toBe("type: String, enum: ['a', 'b'], required: true");
  });

  it('need the class of a nested DTO as metadata, if they have rules', () => {
    expect(optionsOf('@ValidateNested() @Type(() => Child)\n  child: Child;', 'class Child {}')).toContain(
      'return Child',
    );
    expect(() => optionsOf('@IsOptional()\n  child?: Child;', 'class Child {}')).toThrow('Example.child needs @Type');
  });

  it('are described by their doc comment', () => {
    const comment = `/**
   * The name, as the
   * recipient sees it.
   * @example {"a":1}
   * @default Acme
   */`;
    expect(optionsOf(`${comment}\n  name: string;`)).toBe(
      'type: String, required: true, description: "The name, as the recipient sees it.", example: {"a":1}, default: "Acme"',
    );
  });

  it('are described by their validators', () => {
    expect(optionsOf('@MaxLength(MAX)\n  @IsIn(NAMES)\n  name: string;')).toBe(
      'type: String, required: true, maxLength: MAX, enum: NAMES',
    );
  });

  it('need a description of a type that tells too little, unless another decorator has one', () => {
    expect(() => optionsOf('data: object;')).toThrow('Example.data needs a type in @ApiProperty()');
    expect(() => optionsOf('error: Failure;', `import type { Failure } from './failure';`)).toThrow('needs a type');
    expect(optionsOf(`@ApiProperty({ type: 'object' })\n  data: object;`)).toBe('required: true');
  });

  it('are not described if they are hidden or not public, or if the file contains no DTOs', () => {
    expect(optionsOf('@ApiHideProperty()\n  name: string;')).toBeUndefined();
    expect(optionsOf('private name: string;')).toBeUndefined();
    const source = 'export class Example {\n  name: string;\n}\n';
    expect(describeProperties(source, 'example.ts')).toBe(source);
  });

  it('stay on their lines', () => {
    const source = 'export class Example {\n  name: string;\n  other: string;\n}\n';
    const lines = describeProperties(source, 'example.dto.ts').split('\n');
    expect(lines[2]).toContain('other: string;');
  });
});
