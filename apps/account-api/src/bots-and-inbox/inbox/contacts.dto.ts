import type { Timestamp, Uuid } from '@heliograph/contracts';
import type { Contact } from '@heliograph/bot-conversations';
import { One, ListOf } from '../../http/answers';
import { PageQuery } from '../../http/page.query';
import { IsNonBlankText, Optional } from '../../http/rules';

export class ContactRecord {
  id: Uuid;
  name: string | null;
  /** @example ann@example.com */
  email: string | null;
  /** Value that the visitor entered. It is not verified. */
  phone: string | null;
  createdAt: Timestamp;
  updatedAt: Timestamp;

  static of({ id, name, email, phone, createdAt, updatedAt }: Contact): ContactRecord {
    return { id, name, email, phone, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
  }
}

export class OneContact extends One('contact', ContactRecord) {}

export class ContactPage extends ListOf('contacts', ContactRecord) {}

export class ContactQuery extends PageQuery {
  /**
   * Email address, compared without regard to case.
   * @example ann@example.com
   */
  @Optional()
  @IsNonBlankText(300)
  email?: string;
  /**
   * Phone number, compared without spaces.
   * @example +919811111111
   */
  @Optional()
  @IsNonBlankText(100)
  phone?: string;
}
