import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { EmailSender } from '@heliograph/email-catalog';
import { One, ListOf } from '../../http/answers';
import { ChangesOf } from '../../http/changes-of';
import { PageQuery } from '../../http/page.query';
import { optionalText } from '../../http/schemas';
import { IsText, IsNonBlankText, Optional, OptionalNullable, IsTrueOrFalse, IsWellFormedId } from '../../http/rules';

const MAX_ADDRESS_LENGTH = 254;
const MAX_NAME_LENGTH = 200;

export class EmailSenderRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ example: 'hello@example.com' })
  address: string;
  @ApiProperty({ ...optionalText, example: 'Example', description: 'Display name' })
  name: string | null;
  @ApiProperty({ format: 'uuid' })
  domainId: string;
  @ApiProperty({ description: 'True for the default sender, which is used for sends without a sender' })
  isMain: boolean;
  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  static of({ id, address, name, domainId, isMain, createdAt }: EmailSender): EmailSenderRecord {
    return { id, address, name, domainId, isMain, createdAt: createdAt.toISOString() };
  }
}

export class OneEmailSender extends One('sender', EmailSenderRecord) {}

export class EmailSenderPage extends ListOf('senders', EmailSenderRecord) {}

export class EmailSenderQuery extends PageQuery {
  @ApiPropertyOptional({ format: 'uuid' })
  @Optional()
  @IsWellFormedId()
  domainId?: string;
}

export class CreateEmailSenderRequest {
  @ApiProperty({
    example: 'hello@example.com',
    description: 'Address on one of your domains. The domain need not be verified',
  })
  @IsNonBlankText(MAX_ADDRESS_LENGTH)
  address: string;
  @ApiPropertyOptional({ ...optionalText, example: 'Example' })
  @OptionalNullable()
  @IsText(MAX_NAME_LENGTH)
  name: string | null = null;
  @ApiPropertyOptional({
    default: false,
    description:
      'If `true`, this sender replaces the current default sender. The first sender is always the default sender. ',
  })
  @Optional()
  @IsTrueOrFalse()
  isMain: boolean = false;
}

export class ChangeEmailSenderRequest extends ChangesOf(CreateEmailSenderRequest, ['name', 'isMain']) {}
