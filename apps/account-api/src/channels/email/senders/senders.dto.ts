import type { Timestamp, Uuid } from '@heliograph/contracts';
import type { EmailSender } from '@heliograph/email-catalog';
import { One, ListOf } from '../../../http/answers';
import { ChangesOf } from '../../../http/changes-of';
import { PageQuery } from '../../../http/page.query';
import { IsText, IsNonBlankText, Optional, OptionalNullable, IsTrueOrFalse, IsWellFormedId } from '../../../http/rules';

const MAX_ADDRESS_LENGTH = 254;
const MAX_NAME_LENGTH = 200;

export class EmailSenderRecord {
  id: Uuid;
  /** @example hello@example.com */
  address: string;
  /**
   * Display name.
   * @example Example
   */
  name: string | null;
  domainId: Uuid;
  /** True for the default sender, which is used for sends without a sender. */
  isMain: boolean;
  createdAt: Timestamp;

  static of({ id, address, name, domainId, isMain, createdAt }: EmailSender): EmailSenderRecord {
    return { id, address, name, domainId, isMain, createdAt: createdAt.toISOString() };
  }
}

export class OneEmailSender extends One('sender', EmailSenderRecord) {}

export class EmailSenderPage extends ListOf('senders', EmailSenderRecord) {}

export class EmailSenderQuery extends PageQuery {
  @Optional()
  @IsWellFormedId()
  domainId?: Uuid;
}

export class CreateEmailSenderRequest {
  /**
   * Address on one of your domains. The domain need not be verified.
   * @example hello@example.com
   */
  @IsNonBlankText(MAX_ADDRESS_LENGTH)
  address: string;
  /** @example Example */
  @OptionalNullable()
  @IsText(MAX_NAME_LENGTH)
  name: string | null = null;
  /**
   * If `true`, this sender replaces the current default sender. The first sender is always the default sender. .
   * @default false
   */
  @Optional()
  @IsTrueOrFalse()
  isMain: boolean = false;
}

export class ChangeEmailSenderRequest extends ChangesOf(CreateEmailSenderRequest, ['name', 'isMain']) {}
