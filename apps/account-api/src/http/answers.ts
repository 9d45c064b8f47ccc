import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { PageOf } from '@heliograph/database';
import { nextCursor } from './page.query';

/** A DTO class whose objects are created from entities. */
interface RecordClass<Entity, Value extends object> {
  new (): Value;
  of(entity: Entity): Value;
}

type ListAnswer<Name extends string, Value> = Record<Name, Value[]> & { nextCursor?: string };

/** Creates the DTO class of a response with one record: `class OneBot extends One('bot', BotRecord) {}`. */
export function One<Name extends string, Entity, Value extends object>(
  name: Name,
  record: RecordClass<Entity, Value>,
): RecordClass<Entity, Record<Name, Value>> {
  class Answer {
    static of(this: void, entity: Entity): Record<Name, Value> {
      return { [name]: record.of(entity) } as Record<Name, Value>;
    }
  }
  ApiProperty({ type: record })(Answer.prototype, name);
  return Answer as RecordClass<Entity, Record<Name, Value>>;
}

/** Creates the DTO class of a response with a page of records: `class BotPage extends ListOf('bots', BotRecord) {}`. */
export function ListOf<Name extends string, Entity, Value extends object>(
  name: Name,
  record: RecordClass<Entity, Value>,
): RecordClass<PageOf<Entity>, ListAnswer<Name, Value>> {
  class Answer {
    static of(this: void, { items, next }: PageOf<Entity>): ListAnswer<Name, Value> {
      return { [name]: items.map((item) => record.of(item)), ...nextCursor(next) } as ListAnswer<Name, Value>;
    }
  }
  ApiProperty({ type: [record] })(Answer.prototype, name);
  ApiPropertyOptional({ type: String, description: 'Cursor of the next page. Only present if there are more results' })(
    Answer.prototype,
    'nextCursor',
  );
  return Answer as RecordClass<PageOf<Entity>, ListAnswer<Name, Value>>;
}
