import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { EmailSender } from '@heliograph/email-catalog';
import { PageQuery } from '../http/query';
import { IsFilledText, IsFlag, IsIdText, IsText, MayBeAbsent, MayBeEmpty } from '../http/rules';

const optionalText = { type: String, nullable: true } as const;
const MAX_ADDRESS_LENGTH = 254;
const MAX_NAME_LENGTH = 200;

export class EmailSenderRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ example: 'hello@example.com' })
  address: string;
  @ApiProperty({ ...optionalText, example: 'Example', description: 'Shown before the address' })
  name: string | null;
  @ApiProperty({ format: 'uuid' })
  domainId: string;
  @ApiProperty({ description: 'Sends what names no sender' })
  isMain: boolean;
  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  static of({ id, address, name, domainId, isMain, createdAt }: EmailSender): EmailSenderRecord {
    return { id, address, name, domainId, isMain, createdAt: createdAt.toISOString() };
  }
}

export class OneEmailSender {
  @ApiProperty()
  sender: EmailSenderRecord;
}

export class EmailSenderPage {
  @ApiProperty({ type: [EmailSenderRecord] })
  senders: EmailSenderRecord[];
  @ApiPropertyOptional({ description: 'There when there are more' })
  nextCursor?: string;
}

export class EmailSenderQuery extends PageQuery {
  @ApiPropertyOptional({ format: 'uuid' })
  @MayBeAbsent()
  @IsIdText()
  domainId?: string;
}

export class CreateEmailSenderRequest {
  @ApiProperty({ example: 'hello@example.com', description: 'On one of your domains, verified or not yet' })
  @IsFilledText(MAX_ADDRESS_LENGTH)
  address: string;
  @ApiPropertyOptional({ ...optionalText, example: 'Example' })
  @MayBeEmpty()
  @IsText(MAX_NAME_LENGTH)
  name: string | null = null;
  @ApiPropertyOptional({ default: false, description: 'The first one is the main one in any case' })
  @MayBeAbsent()
  @IsFlag()
  isMain: boolean = false;
}

export class ChangeEmailSenderRequest {
  @ApiPropertyOptional(optionalText)
  @MayBeEmpty()
  @IsText(MAX_NAME_LENGTH)
  name?: string | null;
  @ApiPropertyOptional({ description: 'true: in the place of the one that was it' })
  @MayBeAbsent()
  @IsFlag()
  isMain?: boolean;
}
