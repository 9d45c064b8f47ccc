import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Contact } from '@heliograph/bot-conversations';
import { One, ListOf } from '../http/answers';
import { PageQuery } from '../http/page.query';
import { optionalText } from '../http/schemas';
import { IsNonBlankText, Optional } from '../http/rules';

export class ContactRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty(optionalText)
  name: string | null;
  @ApiProperty({ ...optionalText, example: 'ann@example.com' })
  email: string | null;
  @ApiProperty({ ...optionalText, description: 'Value that the visitor entered. It is not verified' })
  phone: string | null;
  @ApiProperty({ format: 'date-time' })
  createdAt: string;
  @ApiProperty({ format: 'date-time' })
  updatedAt: string;

  static of({ id, name, email, phone, createdAt, updatedAt }: Contact): ContactRecord {
    return { id, name, email, phone, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
  }
}

export class OneContact extends One('contact', ContactRecord) {}

export class ContactPage extends ListOf('contacts', ContactRecord) {}

export class ContactQuery extends PageQuery {
  @ApiPropertyOptional({ example: 'ann@example.com', description: 'Email address, compared without regard to case' })
  @Optional()
  @IsNonBlankText(300)
  email?: string;
  @ApiPropertyOptional({ example: '+919811111111', description: 'Phone number, compared without spaces' })
  @Optional()
  @IsNonBlankText(100)
  phone?: string;
}
